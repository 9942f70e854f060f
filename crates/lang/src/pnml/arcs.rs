//! Reading arcs and references.

use super::document::{ArcKind, ArcNode, NetKind};
use super::ids::{Id, Role};
use super::reader::Reader;
use super::xml::{Element, Text};
use crate::Diagnostic;

impl<'s> Reader<'s> {
    pub(super) fn arc(&mut self, element: &Element<'s>) -> Result<(), Diagnostic> {
        let [id, source, target, kind] = self.xml.attributes(element, ["id", "source", "target", "type"])?;
        self.refuse_time(element, "inscription")?;
        if let Some(id) = id {
            self.declare(id, Role::Other);
        }
        let (Some(source), Some(target)) = (source, target) else {
            let message = "an arc needs the attributes source and target";
            self.problem(Diagnostic::new(element.span, message).label("incomplete"));
            return self.xml.skip();
        };
        let mut kind = self.arc_kind(kind.as_ref());
        let coloured = self.document.kind == NetKind::Coloured;
        let (mut weight, mut inscription) = (None, None);
        while let Some(child) = self.xml.child()? {
            match child.name() {
                "inscription" => {
                    if let Some(text) = self.label()?.filter(|text| !text.value.is_empty()) {
                        weight = self.weight(&text);
                    }
                }
                "hlinscription" if coloured => inscription = self.structure()?,
                "type" => {
                    let [value] = self.xml.attributes(&child, ["value"])?;
                    let value = match value {
                        Some(value) => {
                            self.xml.skip()?;
                            Some(value)
                        }
                        None => self.label()?,
                    };
                    kind = self.arc_kind(value.as_ref());
                }
                "graphics" | "toolspecific" | "name" => self.xml.skip()?,
                _ => self.refuse(&child, "an arc")?,
            }
        }
        let ids = &mut self.document.ids;
        let (source, target) = (ids.intern(source.value), ids.intern(target.value));
        let span = element.span;
        self.document.arcs.push(ArcNode { source, target, span, kind, weight, inscription });
        Ok(())
    }

    fn arc_kind(&mut self, kind: Option<&Text<'s>>) -> ArcKind {
        match kind.map(|kind| (&*kind.value, kind.span)) {
            None | Some(("" | "normal", _)) => ArcKind::Normal,
            Some(("inhibitor", _)) => ArcKind::Inhibitor,
            Some((other, span)) => {
                let message = format!("arcs of type {other} are not supported");
                let help = "expected type=\"normal\" or type=\"inhibitor\"";
                self.problem(Diagnostic::new(span, message).label("refused").help(help));
                ArcKind::Normal
            }
        }
    }

    fn weight(&mut self, text: &Text<'s>) -> Option<u32> {
        let weight = self.count(text)?;
        if weight == 0 {
            let help = "expected a number from 1 on; remove the arc if it has no effect";
            self.problem(
                Diagnostic::new(text.span, "an arc cannot have weight 0").label("too small").help(help),
            );
        }
        Some(weight)
    }

    /// Refuses an attribute that speaks of time, unless it leaves all times open.
    pub(super) fn refuse_time(&mut self, element: &Element<'s>, attribute: &str) -> Result<(), Diagnostic> {
        let [value] = self.xml.attributes(element, [attribute])?;
        let Some(value) = value else { return Ok(()) };
        let plain: String = value.value.chars().filter(|character| !character.is_whitespace()).collect();
        if !matches!(plain.as_str(), "" | "<inf" | "[0,inf)") {
            let what = if attribute == "invariant" { "an age invariant" } else { "a time interval" };
            let message = format!("timed nets are not supported: this {} has {what}", element.name());
            self.problem(Diagnostic::new(value.span, message).label("refused"));
        }
        Ok(())
    }

    pub(super) fn reference(
        &mut self,
        element: &Element<'s>,
        role: impl FnOnce(Id) -> Role,
    ) -> Result<(), Diagnostic> {
        let (id, target) = (self.required(element, "id")?, self.required(element, "ref")?);
        if let (Some(id), Some(target)) = (id, target) {
            let target = self.document.ids.intern(target.value);
            self.declare(id, role(target));
        }
        self.xml.skip()
    }
}
