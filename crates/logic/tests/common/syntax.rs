//! Formulas of linear time as people write them: `!a`, `X`, `F`, `G`, then `U` and `R`, then `&`, `|`, `->`, `<->`.

use petite_logic::{AtomId, Ltl};

/// Reads a formula; atoms are small letters with digits, numbered in the order in which they come.
pub fn ltl(text: &str) -> Ltl {
    let mut reader = Reader { rest: text, atoms: Vec::new() };
    let formula = reader.equivalence();
    assert!(reader.rest.trim().is_empty(), "the end of {text}, found {}", reader.rest);
    formula
}

struct Reader<'t> {
    rest: &'t str,
    atoms: Vec<&'t str>,
}

impl<'t> Reader<'t> {
    fn takes(&mut self, word: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(word);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn equivalence(&mut self) -> Ltl {
        let mut left = self.implication();
        while self.takes("<->") {
            let right = self.implication();
            let not = |formula: &Ltl| Ltl::Not(Box::new(formula.clone()));
            let neither = Ltl::And(vec![not(&left), not(&right)]);
            left = Ltl::Or(vec![Ltl::And(vec![left, right]), neither]);
        }
        left
    }

    fn implication(&mut self) -> Ltl {
        let left = self.disjunction();
        if self.takes("->") { Ltl::Or(vec![Ltl::Not(Box::new(left)), self.implication()]) } else { left }
    }

    fn disjunction(&mut self) -> Ltl {
        let mut parts = vec![self.conjunction()];
        while self.takes("|") {
            parts.push(self.conjunction());
        }
        if parts.len() == 1 { parts.remove(0) } else { Ltl::Or(parts) }
    }

    fn conjunction(&mut self) -> Ltl {
        let mut parts = vec![self.until()];
        while self.takes("&") {
            parts.push(self.until());
        }
        if parts.len() == 1 { parts.remove(0) } else { Ltl::And(parts) }
    }

    fn until(&mut self) -> Ltl {
        let left = self.unary();
        if self.takes("U") {
            return Ltl::Until(Box::new(left), Box::new(self.until()));
        }
        if self.takes("R") {
            return Ltl::Release(Box::new(left), Box::new(self.until()));
        }
        left
    }

    fn unary(&mut self) -> Ltl {
        for (word, make) in [
            ("!", Ltl::Not as fn(Box<Ltl>) -> Ltl),
            ("X", Ltl::Next),
            ("F", Ltl::Finally),
            ("G", Ltl::Globally),
        ] {
            if self.takes(word) {
                return make(Box::new(self.unary()));
            }
        }
        if self.takes("(") {
            let inner = self.equivalence();
            assert!(self.takes(")"), "`)` before {}", self.rest);
            return inner;
        }
        let text = self.rest.trim_start();
        let end = text.find(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit()).unwrap_or(text.len());
        assert!(end > 0, "a formula before {text}");
        let (name, rest) = text.split_at(end);
        self.rest = rest;
        let known = self.atoms.iter().position(|other| *other == name).unwrap_or_else(|| {
            self.atoms.push(name);
            self.atoms.len() - 1
        });
        Ltl::Atom(AtomId::new(known))
    }
}
