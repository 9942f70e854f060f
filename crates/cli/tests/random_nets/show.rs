//! Values and markings in words: the notation in which Petite shows them, too, so that states can be compared.

use crate::describe::{Bag, Kind, Marking, Net, Place, TypeId, Val};

impl Net {
    /// A marking in words: the places that hold something, with their tokens in order of their texts.
    pub fn show(&self, marking: &Marking) -> String {
        let token = |place: &Place, token: &[Val]| {
            let parts: Vec<String> =
                token.iter().zip(&place.domain).map(|(value, ty)| self.show_value(*ty, value)).collect();
            if parts.is_empty() { "epsilon".to_owned() } else { format!("<({})>", parts.join(", ")) }
        };
        let bag = |place: &Place, bag: &Bag| {
            let mut terms: Vec<String> = bag
                .iter()
                .map(|(value, count)| match count {
                    1 => token(place, value),
                    _ => format!("{count}*{}", token(place, value)),
                })
                .collect();
            terms.sort();
            terms.join(" + ")
        };
        let held = self.places.iter().zip(marking).enumerate().filter(|(_, (_, tokens))| !tokens.is_empty());
        let texts: Vec<String> =
            held.map(|(p, (place, tokens))| format!("p{p}: {}", bag(place, tokens))).collect();
        texts.join("; ")
    }

    /// A value in the notation of the model.
    pub fn show_value(&self, ty: TypeId, value: &Val) -> String {
        let join = |items: &mut dyn Iterator<Item = &i64>, ty: TypeId| {
            let items: Vec<String> = items.map(|item| self.show_value(ty, &Val::Num(*item))).collect();
            items.join(", ")
        };
        match (self.kind(ty), value) {
            (Kind::Vector { element, .. }, Val::Vector(items)) => {
                format!("[{}]", join(&mut items.iter(), *element))
            }
            (Kind::Set { element, .. }, Val::Set(items)) => {
                format!("|{}|", join(&mut items.iter(), *element))
            }
            (Kind::Bool, Val::Num(number)) => (*number != 0).to_string(),
            (Kind::Enum(_), Val::Num(number)) => format!("{}_{number}", self.type_name(ty)),
            _ => value.num().to_string(),
        }
    }
}
