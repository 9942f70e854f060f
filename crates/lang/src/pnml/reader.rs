//! Reading the structure of a document: nets, pages, nodes and arcs.
//!
//! A fault of the XML ends the reading at once; anything else that is wrong is noted, and the reading goes on to
//! find more. An element that is not known is refused by its name: it may change the meaning of the net.

use petite_net::{PlaceIdx, Span, TransIdx};

use super::document::{Declarations, Document, NetKind, PlaceNode, TransitionNode};
use super::ids::{Id, Ids, Role};
use super::terms::{TermId, Terms};
use super::xml::{Element, Text, Xml};
use crate::Diagnostic;
use crate::diagnostic::Diagnostics;

/// A document in the making.
pub(super) struct Reader<'s> {
    pub xml: Xml<'s>,
    pub document: Document<'s>,
    pub diagnostics: Diagnostics,
}

/// The namespace of PNML.
const NAMESPACE: &str = "http://www.pnml.org/version-2009/grammar/pnml";

/// Reads a whole document.
///
/// # Errors
/// All that is wrong with it.
pub(super) fn read_document(text: &str) -> Result<(Document<'_>, Diagnostics), Vec<Diagnostic>> {
    let document = Document {
        kind: NetKind::PlaceTransition,
        id: None,
        name: None,
        span: Span::default(),
        ids: Ids::default(),
        places: Vec::new(),
        transitions: Vec::new(),
        arcs: Vec::new(),
        terms: Terms::default(),
        declarations: Declarations::default(),
        nupn: None,
    };
    let mut reader = Reader { xml: Xml::new(text), document, diagnostics: Diagnostics::default() };
    match reader.pnml() {
        Ok(()) => Ok((reader.document, reader.diagnostics)),
        Err(fatal) => {
            reader.diagnostics.push(fatal);
            Err(reader.diagnostics.into_sorted())
        }
    }
}

impl<'s> Reader<'s> {
    pub fn problem(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// An attribute that must be there; none, and a problem, when it is not.
    pub fn required(&mut self, element: &Element<'s>, name: &str) -> Result<Option<Text<'s>>, Diagnostic> {
        let [value] = self.xml.attributes(element, [name])?;
        if value.is_none() {
            let message = format!("<{}> has no attribute {name}", element.name());
            self.problem(Diagnostic::new(element.span, message).label("incomplete"));
        }
        Ok(value)
    }

    /// A count of tokens.
    pub fn count(&mut self, text: &Text<'s>) -> Option<u32> {
        let number = self.integer(text)?;
        let count = u32::try_from(number).ok();
        if count.is_none() {
            let message = format!("{number} is no number of tokens: expected 0 to {}", u32::MAX);
            self.problem(Diagnostic::new(text.span, message).label("out of range"));
        }
        count
    }

    pub fn integer(&mut self, text: &Text<'s>) -> Option<i64> {
        let number = text.value.trim().parse();
        if number.is_err() {
            let start: String = text.value.chars().take(40).collect();
            let digits = text.value.trim_start_matches(['-', '+']);
            let message = if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
                format!("{start} is too large")
            } else {
                format!("expected a whole number, found '{start}'")
            };
            self.problem(Diagnostic::new(text.span, message).label("no number"));
        }
        number.ok()
    }

    fn pnml(&mut self) -> Result<(), Diagnostic> {
        let root = self.xml.root()?;
        if root.name() != "pnml" {
            let message = format!("this is no PNML: the first element is <{}>", root.name());
            return Err(Diagnostic::new(root.span, message).label("expected <pnml>"));
        }
        let namespace = self.xml.root_namespace(&root);
        if !namespace.is_empty() && namespace != NAMESPACE {
            let message = format!("the namespace {namespace} is not the one of PNML");
            return Err(Diagnostic::new(root.span, message)
                .label("unknown kind of PNML")
                .help(format!("expected xmlns=\"{NAMESPACE}\"")));
        }
        let mut found = false;
        while let Some(element) = self.xml.child()? {
            match element.name() {
                "net" if found => {
                    self.problem(
                        Diagnostic::new(element.span, "the file has more than one net")
                            .label("the second net")
                            .help("put each net into a file of its own"),
                    );
                    self.xml.skip()?;
                }
                "net" => {
                    found = true;
                    self.net(&element)?;
                }
                "toolspecific" | "name" => self.xml.skip()?,
                _ => self.refuse(&element, "a PNML file")?,
            }
            if self.diagnostics.is_full() {
                return Ok(());
            }
        }
        if !found {
            self.problem(Diagnostic::new(root.span, "the file has no net").label("expected <net> inside"));
        }
        self.xml.finish()
    }

    fn net(&mut self, net: &Element<'s>) -> Result<(), Diagnostic> {
        let [id, kind] = self.xml.attributes(net, ["id", "type"])?;
        (self.document.id, self.document.span) = (id, net.span);
        let named = kind.as_ref().map_or("", |kind| kind.value.trim());
        let Some(kind) = net_kind(named) else {
            let message = match named {
                "" => "the net has no type".to_owned(),
                _ => format!("nets of type {named} are not supported"),
            };
            return Err(Diagnostic::new(net.span, message)
                .label("unknown kind of net")
                .help("expected .../grammar/ptnet, .../grammar/symmetricnet or .../grammar/highlevelnet"));
        };
        self.document.kind = kind;
        self.contents("a net")
    }

    /// What a net or a page contains. Pages only group their contents; they may be nested as deep as elements
    /// may, so the elements that are open are counted instead of called.
    fn contents(&mut self, owner: &str) -> Result<(), Diagnostic> {
        let mut n_open = 1;
        while n_open > 0 && !self.diagnostics.is_full() {
            let Some(element) = self.xml.child()? else {
                n_open -= 1;
                continue;
            };
            match element.name() {
                "page" => {
                    n_open += 1;
                    let [id] = self.xml.attributes(&element, ["id"])?;
                    if let Some(id) = id {
                        self.declare(id, Role::Other);
                    }
                }
                "place" => self.place(&element)?,
                "transition" => self.transition(&element)?,
                "arc" => self.arc(&element)?,
                "referencePlace" => self.reference(&element, Role::ReferencePlace)?,
                "referenceTransition" => self.reference(&element, Role::ReferenceTransition)?,
                "name" if n_open == 1 => self.document.name = self.label()?,
                "declaration" => self.declaration()?,
                "toolspecific" => self.tool_specific(&element)?,
                "name" | "graphics" => self.xml.skip()?,
                _ => self.refuse(&element, owner)?,
            }
        }
        // Where too much is wrong to go on, the rest is not worth reading.
        if n_open > 0 { Err(self.too_much()) } else { Ok(()) }
    }

    fn too_much(&self) -> Diagnostic {
        Diagnostic::new(self.document.span, "too much is wrong with this net to read on")
    }

    /// Declares an identifier.
    pub fn declare(&mut self, id: Text<'s>, role: Role) -> Id {
        let number = self.document.ids.intern(id.value);
        if self.document.ids.declare(number, role, id.span).is_err() {
            let message = format!("the id {} is used twice", self.document.ids.text(number));
            let help = "ids of places, transitions, arcs and pages must differ; rename one of them";
            self.problem(Diagnostic::new(id.span, message).label("used before").help(help));
        }
        number
    }

    fn place(&mut self, element: &Element<'s>) -> Result<(), Diagnostic> {
        let Some(id) = self.required(element, "id")? else { return self.xml.skip() };
        self.refuse_time(element, "invariant")?;
        let span = id.span;
        let id = self.declare(id, Role::Place(PlaceIdx::new(self.document.places.len())));
        let coloured = self.document.kind == NetKind::Coloured;
        let mut place = PlaceNode { id, span, name: None, tokens: 0, sort: None, marking: None };
        while let Some(child) = self.xml.child()? {
            match child.name() {
                "name" => place.name = self.label()?,
                "initialMarking" if !coloured => {
                    if let Some(text) = self.label()?.filter(|text| !text.value.is_empty()) {
                        place.tokens = self.count(&text).unwrap_or(0);
                    }
                }
                "type" if coloured => place.sort = self.structure()?,
                "hlinitialMarking" if coloured => place.marking = self.structure()?,
                "graphics" | "toolspecific" => self.xml.skip()?,
                _ => self.refuse(&child, "a place")?,
            }
        }
        self.document.places.push(place);
        Ok(())
    }

    fn transition(&mut self, element: &Element<'s>) -> Result<(), Diagnostic> {
        let Some(id) = self.required(element, "id")? else { return self.xml.skip() };
        let span = id.span;
        let id = self.declare(id, Role::Transition(TransIdx::new(self.document.transitions.len())));
        let coloured = self.document.kind == NetKind::Coloured;
        let mut transition = TransitionNode { id, span, name: None, guard: None };
        while let Some(child) = self.xml.child()? {
            match child.name() {
                "name" => transition.name = self.label()?,
                "condition" if coloured => transition.guard = self.structure()?,
                "graphics" | "toolspecific" => self.xml.skip()?,
                _ => self.refuse(&child, "a transition")?,
            }
        }
        self.document.transitions.push(transition);
        Ok(())
    }

    /// The `<text>` of a label.
    pub fn label(&mut self) -> Result<Option<Text<'s>>, Diagnostic> {
        let mut text = None;
        while let Some(child) = self.xml.child()? {
            match child.name() {
                "text" => text = Some(self.xml.text()?),
                _ => self.xml.skip()?,
            }
        }
        Ok(text)
    }

    /// The term in the `<structure>` of a label; its `<text>` is for people.
    pub fn structure(&mut self) -> Result<Option<TermId>, Diagnostic> {
        let mut term = None;
        while let Some(child) = self.xml.child()? {
            match child.name() {
                "structure" => term = self.only_term()?,
                _ => self.xml.skip()?,
            }
        }
        Ok(term)
    }

    /// Refuses an element by its name and goes behind it.
    pub fn refuse(&mut self, element: &Element<'s>, owner: &str) -> Result<(), Diagnostic> {
        let name = element.name();
        let kind = match self.document.kind {
            NetKind::PlaceTransition => "place/transition",
            NetKind::Coloured => "coloured",
        };
        let message = format!("<{name}> is not supported in {owner} of a {kind} net");
        self.problem(Diagnostic::new(element.span, message).label("refused"));
        self.xml.skip()
    }
}

/// The kind of net that a type stands for: the addresses of the standard, old ones, and their last words alone.
fn net_kind(kind: &str) -> Option<NetKind> {
    let word = kind.trim_end_matches('/').rsplit(['/', '#']).next().unwrap_or_default().to_ascii_lowercase();
    match word.trim_end_matches(".pntd") {
        "ptnet" | "p/t net" | "ptnetb" | "pt-net" => Some(NetKind::PlaceTransition),
        "symmetricnet" | "highlevelnet" | "pt-hlpng" | "hlpn" | "hlpng" => Some(NetKind::Coloured),
        _ => None,
    }
}
