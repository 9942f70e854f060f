//! Reading the declarations of a coloured net, and what tools say about a net.

use super::document::{Declaration, NetKind, Partition, PartitionElement, UnitNode, Units};
use super::reader::Reader;
use super::xml::{Element, Text};
use crate::Diagnostic;

impl<'s> Reader<'s> {
    /// The `<declaration>` of a net or page.
    pub(super) fn declaration(&mut self) -> Result<(), Diagnostic> {
        // Elements that only wrap declarations are counted while they are open.
        let mut n_open = 1;
        while n_open > 0 {
            let Some(element) = self.xml.child()? else {
                n_open -= 1;
                continue;
            };
            match element.name() {
                "structure" | "declarations" => n_open += 1,
                "text" | "graphics" | "toolspecific" => self.xml.skip()?,
                _ if self.document.kind == NetKind::PlaceTransition => {
                    self.refuse(&element, "a declaration")?;
                }
                "namedsort" => {
                    let sort = self.declared(&element)?;
                    self.document.declarations.sorts.extend(sort);
                }
                "variabledecl" => {
                    let variable = self.declared(&element)?;
                    self.document.declarations.variables.extend(variable);
                }
                "partition" => self.partition(&element)?,
                _ => self.refuse(&element, "a declaration")?,
            }
        }
        Ok(())
    }

    /// A declaration that has a sort as its only content.
    fn declared(&mut self, element: &Element<'s>) -> Result<Option<Declaration<'s>>, Diagnostic> {
        let id = self.required(element, "id")?;
        let [name] = self.xml.attributes(element, ["name"])?;
        let sort = self.only_term()?;
        match (id, sort) {
            (Some(id), Some(sort)) => Ok(Some(Declaration { id, name, sort })),
            // A sort that was refused has been reported already.
            (Some(_), None) if self.diagnostics.is_empty() => {
                let message = format!("<{}> has no sort", element.name());
                self.problem(Diagnostic::new(element.span, message).label("expected a sort inside"));
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    fn partition(&mut self, element: &Element<'s>) -> Result<(), Diagnostic> {
        let id = self.required(element, "id")?;
        let [name] = self.xml.attributes(element, ["name"])?;
        let (mut sort, mut elements) = (None, Vec::new());
        while let Some(child) = self.xml.child()? {
            match child.name() {
                "usersort" => {
                    sort = self.user_sort(&child)?;
                    self.xml.skip()?;
                }
                "partitionelement" => {
                    let id = self.required(&child, "id")?;
                    let [name] = self.xml.attributes(&child, ["name"])?;
                    let constants = self.terms()?;
                    if let Some(id) = id {
                        elements.push(PartitionElement { id, name, constants });
                    }
                }
                _ => self.refuse(&child, "a partition")?,
            }
        }
        match (id, sort) {
            (Some(id), Some(sort)) => {
                let declaration = Declaration { id, name, sort };
                self.document.declarations.partitions.push(Partition { declaration, elements });
            }
            (_, None) => {
                let message = "a partition needs the sort that it cuts into parts";
                self.problem(Diagnostic::new(element.span, message).label("expected <usersort> inside"));
            }
            (None, _) => {}
        }
        Ok(())
    }

    /// What a tool says about the net: only nested units are of interest.
    pub(super) fn tool_specific(&mut self, element: &Element<'s>) -> Result<(), Diagnostic> {
        let [tool] = self.xml.attributes(element, ["tool"])?;
        if tool.is_none_or(|tool| !tool.value.eq_ignore_ascii_case("nupn")) {
            return self.xml.skip();
        }
        while let Some(child) = self.xml.child()? {
            match child.name() {
                "structure" => self.units(&child)?,
                _ => self.xml.skip()?,
            }
        }
        Ok(())
    }

    fn units(&mut self, element: &Element<'s>) -> Result<(), Diagnostic> {
        let root = self.required(element, "root")?;
        let [safe] = self.xml.attributes(element, ["safe"])?;
        let mut units = Vec::new();
        while let Some(child) = self.xml.child()? {
            if child.name() != "unit" {
                self.xml.skip()?;
                continue;
            }
            let id = self.required(&child, "id")?;
            let (mut places, mut subunits) = (None, None);
            while let Some(part) = self.xml.child()? {
                match part.name() {
                    "places" => places = Some(self.xml.text()?),
                    "subunits" => subunits = Some(self.xml.text()?),
                    _ => self.xml.skip()?,
                }
            }
            if let Some(id) = id {
                units.push(UnitNode { id, places, subunits });
            }
        }
        let safe = safe.is_some_and(|safe: Text<'s>| safe.value == "true");
        if let Some(root) = root {
            self.document.nupn = Some(Units { root, safe, units });
        }
        Ok(())
    }
}
