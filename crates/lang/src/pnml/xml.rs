//! A cursor over the elements of an XML text.
//!
//! The text is read once from front to back. A caller asks for the children of the element it is in, one after
//! the other, and for each of them either reads it or skips it; so no tree is built, and what is not asked for
//! costs no memory.
//!
//! *Hostile texts.* Entities are never expanded besides the five predefined ones and character references, and a
//! document type that declares some is refused. Elements may be nested [`MAX_DEPTH`] deep. All elements that are
//! not skipped must be in the namespace of the root.

use std::borrow::Cow;

use petite_net::Span;
use quick_xml::NsReader;
use quick_xml::escape::{resolve_predefined_entity, unescape};
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::name::ResolveResult;

use crate::Diagnostic;

/// Deepest nesting of elements; sums of thousands of tokens are written as deep trees by some tools.
const MAX_DEPTH: usize = 30_000;

/// The cursor.
pub(crate) struct Xml<'s> {
    text: &'s str,
    reader: NsReader<&'s [u8]>,
    /// The opening tags of the elements that the cursor is in.
    open: Vec<Span>,
    /// The namespace of the root, once it is known; empty when it has none.
    namespace: Option<String>,
}

/// The opening tag of an element.
pub(crate) struct Element<'s> {
    tag: BytesStart<'s>,
    pub span: Span,
}

/// A stretch of the text with entities resolved.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Text<'s> {
    pub value: Cow<'s, str>,
    pub span: Span,
}

impl Element<'_> {
    /// Its name without the prefix.
    pub fn name(&self) -> &str {
        let name = self.tag.name().0;
        name.rsplit_once(':').map_or(name, |(_, local)| local)
    }
}

impl<'s> Xml<'s> {
    pub fn new(text: &'s str) -> Xml<'s> {
        let mut reader = NsReader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        Xml { text, reader, open: Vec::new(), namespace: None }
    }

    /// The root element.
    pub fn root(&mut self) -> Result<Element<'s>, Diagnostic> {
        loop {
            match self.next()? {
                (Event::Start(tag), span) => return Ok(Element { tag, span }),
                (Event::Text(text), span) if !text.trim().is_empty() => {
                    return Err(Diagnostic::new(span, "this is no XML: text before the first element")
                        .label("expected <pnml>"));
                }
                (Event::Eof, span) => {
                    return Err(Diagnostic::new(span, "this file has no element, expected <pnml>"));
                }
                _ => {}
            }
        }
    }

    /// The namespace of the root element, empty when it has none; everything else must be in it, too.
    pub fn root_namespace(&mut self, root: &Element<'s>) -> &str {
        let namespace = match self.reader.resolver().resolve_element(root.tag.name()).0 {
            ResolveResult::Bound(namespace) => namespace.0.to_owned(),
            ResolveResult::Unbound | ResolveResult::Unknown(_) => String::new(),
        };
        self.namespace.insert(namespace)
    }

    /// The next child of the element that the cursor is in; none at its end, which is then behind the cursor.
    pub fn child(&mut self) -> Result<Option<Element<'s>>, Diagnostic> {
        loop {
            match self.next()? {
                (Event::Start(tag), span) => {
                    let element = Element { tag, span };
                    self.check_namespace(&element)?;
                    return Ok(Some(element));
                }
                (Event::End(_), _) => return Ok(None),
                (Event::Eof, _) => return Err(self.ends_early()),
                _ => {}
            }
        }
    }

    /// Goes behind the end of the element that the cursor is in.
    pub fn skip(&mut self) -> Result<(), Diagnostic> {
        let depth = self.open.len();
        while depth <= self.open.len() {
            if let (Event::Eof, _) = self.next()? {
                return Err(self.ends_early());
            }
        }
        Ok(())
    }

    /// The text of the element that the cursor is in, without spaces around it, and goes behind its end.
    pub fn text(&mut self) -> Result<Text<'s>, Diagnostic> {
        let mut found: Option<Text<'s>> = None;
        loop {
            let (part, span) = match self.next()? {
                (Event::Text(text), span) => (text.into_inner(), span),
                (Event::CData(data), span) => (data.into_inner(), span),
                (Event::GeneralRef(entity), span) => (resolved(&entity, span)?, span),
                (Event::End(_), span) => {
                    let text = found.unwrap_or(Text { value: Cow::Borrowed(""), span });
                    return Ok(trimmed(text));
                }
                (Event::Start(tag), span) => {
                    let name = tag.name().0.to_owned();
                    return Err(Diagnostic::new(span, format!("element <{name}> inside a text"))
                        .label("expected only text here"));
                }
                (Event::Eof, _) => return Err(self.ends_early()),
                _ => continue,
            };
            found = Some(match found {
                None => Text { value: part, span },
                Some(text) => {
                    let mut value = text.value.into_owned();
                    value.push_str(&part);
                    Text { value: Cow::Owned(value), span: text.span.to(span) }
                }
            });
        }
    }

    /// The values of some attributes of an element, by name.
    pub fn attributes<const N: usize>(
        &self,
        element: &Element<'s>,
        names: [&str; N],
    ) -> Result<[Option<Text<'s>>; N], Diagnostic> {
        let mut values = [const { None }; N];
        for attribute in element.tag.attributes() {
            let attribute = attribute.map_err(|error| {
                Diagnostic::new(element.span, format!("the attributes of this element are wrong: {error}"))
            })?;
            let Some(at) = names.iter().position(|name| attribute.key.0 == *name) else { continue };
            let Some((raw, span)) = self.locate(&attribute.value) else { continue };
            let value = unescape(raw).map_err(|error| {
                Diagnostic::new(span, format!("this value cannot be read: {error}")).help(ENTITIES)
            })?;
            values[at] = Some(Text { value, span });
        }
        Ok(values)
    }

    /// Whether nothing but spaces and comments follows.
    pub fn finish(&mut self) -> Result<(), Diagnostic> {
        loop {
            match self.next()? {
                (Event::Eof, _) => return Ok(()),
                (Event::Text(text), _) if text.trim().is_empty() => {}
                (Event::Comment(_) | Event::PI(_), _) => {}
                (_, span) => {
                    return Err(
                        Diagnostic::new(span, "more text behind the end of the net").label("unexpected")
                    );
                }
            }
        }
    }

    /// The next event with where it stands.
    fn next(&mut self) -> Result<(Event<'s>, Span), Diagnostic> {
        let start = self.reader.buffer_position();
        let event = self.reader.read_event();
        let end = self.reader.buffer_position();
        let event = event.map_err(|error| {
            let at = self.reader.error_position();
            let span = span_of(at, (at + 1).min(self.text.len() as u64));
            Diagnostic::new(span, format!("this is not well-formed XML: {error}"))
        })?;
        let span = span_of(start, end);
        match &event {
            Event::Start(_) => {
                self.open.push(span);
                if self.open.len() > MAX_DEPTH {
                    let message = format!("elements are nested more than {MAX_DEPTH} deep");
                    return Err(Diagnostic::new(span, message).label("too deep"));
                }
            }
            Event::End(_) => {
                self.open.pop();
            }
            Event::DocType(doctype) if doctype.contains("<!ENTITY") => {
                return Err(Diagnostic::new(span, "the document type declares entities")
                    .label("refused")
                    .help(ENTITIES));
            }
            _ => {}
        }
        Ok((event, span))
    }

    fn check_namespace(&self, element: &Element<'s>) -> Result<(), Diagnostic> {
        let Some(expected) = &self.namespace else { return Ok(()) };
        let name = element.tag.name();
        let found = match self.reader.resolver().resolve_element(name).0 {
            ResolveResult::Bound(namespace) if namespace.0 == expected => return Ok(()),
            ResolveResult::Unbound if expected.is_empty() => return Ok(()),
            ResolveResult::Bound(namespace) => format!("the namespace {}", namespace.0),
            ResolveResult::Unbound => "no namespace".to_owned(),
            ResolveResult::Unknown(prefix) => format!("the unknown namespace {prefix}"),
        };
        Err(Diagnostic::new(element.span, format!("element <{}> is in {found}", name.0))
            .label("foreign element")
            .help("elements of other languages may stand only inside a <toolspecific> element"))
    }

    /// Finds a part of the text in the text, to borrow it from there.
    fn locate(&self, part: &str) -> Option<(&'s str, Span)> {
        let start = part.as_ptr().addr().checked_sub(self.text.as_ptr().addr())?;
        let end = start.checked_add(part.len())?;
        Some((self.text.get(start..end)?, span_of(start as u64, end as u64)))
    }

    fn ends_early(&self) -> Diagnostic {
        let end = self.text.len() as u64;
        match self.open.last() {
            Some(&span) => Diagnostic::new(span, "the file ends before this element does: is it complete?")
                .label("not closed"),
            None => Diagnostic::new(span_of(end, end), "the file ends too early: is it complete?"),
        }
    }
}

const ENTITIES: &str = "only the predefined entities (&lt; &gt; &amp; &apos; &quot;) and characters by number \
                        (&#65;) can be used";

fn span_of(start: u64, end: u64) -> Span {
    // The reader refuses texts beyond 32 bits before it starts.
    let narrow = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
    Span { file: 0, start: narrow(start), end: narrow(end) }
}

fn resolved<'s>(entity: &BytesRef<'s>, span: Span) -> Result<Cow<'s, str>, Diagnostic> {
    if let Some(text) = resolve_predefined_entity(entity) {
        return Ok(Cow::Borrowed(text));
    }
    match entity.resolve_char_ref() {
        Ok(Some(character)) => Ok(Cow::Owned(character.to_string())),
        _ => {
            let message = format!("the entity &{}; is not known", &**entity);
            Err(Diagnostic::new(span, message).label("not expanded").help(ENTITIES))
        }
    }
}

fn trimmed(text: Text<'_>) -> Text<'_> {
    let (lead, tail) =
        (text.value.len() - text.value.trim_start().len(), text.value.len() - text.value.trim_end().len());
    match text.value {
        Cow::Borrowed(value) => {
            let value = value.trim();
            let start = text.span.start.saturating_add(lead as u32).min(text.span.end);
            let end = text.span.end.saturating_sub(tail as u32).max(start);
            Text { value: Cow::Borrowed(value), span: Span { start, end, ..text.span } }
        }
        Cow::Owned(value) => Text { value: Cow::Owned(value.trim().to_owned()), span: text.span },
    }
}
