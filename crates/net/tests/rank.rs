//! Ranks, digits and the order of values, against an enumeration that knows nothing of ranks.

use std::cmp::Ordering;

use petite_net::{Cardinality, Component, Digit, Kind, Name, Type, TypeIdx, Types, Value};

/// A value's place in the order of ranks as nested sequences that compare lexicographically: an independent
/// statement of the order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Number(i64),
    Sequence(Vec<Key>),
}

fn key(types: &Types, ty: TypeIdx, value: &Value) -> Key {
    let sized = |items: &[Value], element: TypeIdx| {
        let mut keys: Vec<Key> = items.iter().map(|item| key(types, element, item)).collect();
        keys.push(Key::Number(items.len() as i64));
        keys.reverse();
        keys
    };
    Key::Sequence(match (&types[ty].kind, value) {
        (_, Value::Int(number)) => return Key::Number(*number),
        (Kind::Struct { components }, Value::Tuple(items)) => {
            components.iter().zip(items.iter()).map(|(c, item)| key(types, c.ty, item)).rev().collect()
        }
        (Kind::Vector { element, .. }, Value::Tuple(items))
        | (Kind::List { element, .. }, Value::Seq(items)) => sized(items, *element),
        (Kind::Set { element, .. }, Value::Seq(items)) => {
            let mut keys = sized(items, *element);
            keys[1..].sort();
            keys[1..].reverse();
            keys
        }
        (Kind::Union { variants }, Value::Tagged(tag, content)) => {
            vec![Key::Number(i64::from(*tag)), key(types, variants[*tag as usize].ty, content)]
        }
        _ => panic!("{value:?} is not of the type {}", types[ty].name),
    })
}

/// All sequences with `len` items.
fn sequences(items: &[Value], len: u64) -> Vec<Vec<Value>> {
    let mut all = vec![vec![]];
    for _ in 0..len {
        all = all
            .iter()
            .flat_map(|front| {
                items.iter().map(|item| [front.as_slice(), std::slice::from_ref(item)].concat())
            })
            .collect();
    }
    all
}

/// All values of a type in no particular order.
fn enumerate(types: &Types, ty: TypeIdx) -> Vec<Value> {
    let mut all: Vec<Value> = match &types[ty].kind {
        Kind::Range { low, high } => (*low..=*high).map(Value::Int).collect(),
        Kind::Modulo { modulus } => (0..*modulus).map(Value::Int).collect(),
        Kind::Enum { constants } => (0..constants.len() as i64).map(Value::Int).collect(),
        Kind::Struct { components } => {
            let mut all = vec![vec![]];
            for component in components {
                let items = enumerate(types, component.ty);
                all = all
                    .iter()
                    .flat_map(|front: &Vec<Value>| {
                        items.iter().map(|item| [front.as_slice(), std::slice::from_ref(item)].concat())
                    })
                    .collect();
            }
            all.into_iter().map(|items| Value::Tuple(items.into())).collect()
        }
        Kind::Vector { indices, element } => {
            sequences(&enumerate(types, *element), types.vector_len(indices))
                .into_iter()
                .map(|items| Value::Tuple(items.into()))
                .collect()
        }
        Kind::List { element, capacity, .. } => {
            let items = enumerate(types, *element);
            (0..=u64::from(*capacity))
                .flat_map(|len| sequences(&items, len))
                .map(|items| Value::Seq(items.into()))
                .collect()
        }
        Kind::Set { element, capacity } => {
            let mut items = enumerate(types, *element);
            items.sort();
            (0..1u32 << items.len())
                .filter(|subset| subset.count_ones() <= *capacity)
                .map(|subset| {
                    let chosen = items.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1);
                    Value::Seq(chosen.map(|(_, item)| item.clone()).collect())
                })
                .collect()
        }
        Kind::Union { variants } => variants
            .iter()
            .enumerate()
            .flat_map(|(tag, variant)| {
                enumerate(types, variant.ty)
                    .into_iter()
                    .map(move |content| Value::Tagged(tag as u32, content.into()))
            })
            .collect(),
    };
    if let Some(intervals) = &types[ty].constraint {
        let interval_keys: Vec<(Key, Key)> =
            intervals.iter().map(|(low, high)| (key(types, ty, low), key(types, ty, high))).collect();
        all.retain(|value| {
            let key = key(types, ty, value);
            interval_keys.iter().any(|(low, high)| *low <= key && key <= *high)
        });
    }
    all
}

/// Types under construction.
#[derive(Default)]
struct Zoo {
    types: Types,
}

impl Zoo {
    fn add(&mut self, kind: Kind) -> TypeIdx {
        self.constrained(kind, None)
    }

    fn constrained(&mut self, kind: Kind, constraint: Option<Vec<(Value, Value)>>) -> TypeIdx {
        let name = Name::predefined(&format!("type{}", self.types.len()));
        self.types.add(Type { name, kind, parent: None, constraint })
    }

    fn range(&mut self, low: i64, high: i64) -> TypeIdx {
        self.add(Kind::Range { low, high })
    }

    fn components(types: &[TypeIdx]) -> Vec<Component> {
        types.iter().map(|&ty| Component { name: Name::predefined("part"), ty }).collect()
    }

    fn tuple(&mut self, types: &[TypeIdx]) -> TypeIdx {
        self.add(Kind::Struct { components: Zoo::components(types) })
    }

    fn union(&mut self, types: &[TypeIdx]) -> TypeIdx {
        self.add(Kind::Union { variants: Zoo::components(types) })
    }

    fn vector(&mut self, indices: &[TypeIdx], element: TypeIdx) -> TypeIdx {
        self.add(Kind::Vector { indices: indices.to_vec(), element })
    }

    fn list(&mut self, element: TypeIdx, capacity: u32) -> TypeIdx {
        let index = self.range(0, 100);
        self.add(Kind::List { index, element, capacity })
    }

    fn set(&mut self, element: TypeIdx, capacity: u32) -> TypeIdx {
        self.add(Kind::Set { element, capacity })
    }

    /// The type restricted to the values with ranks in the intervals.
    fn restricted(&mut self, ty: TypeIdx, intervals: &[(u64, u64)]) -> TypeIdx {
        let value = |rank| self.types.unrank(ty, rank).expect("a rank below the cardinality");
        let constraint = intervals.iter().map(|&(low, high)| (value(low), value(high))).collect();
        self.constrained(self.types[ty].kind.clone(), Some(constraint))
    }
}

/// Small types of every kind, nested and constrained.
fn small_types() -> (Types, Vec<TypeIdx>) {
    let mut zoo = Zoo::default();
    let signed = zoo.range(-3, 2);
    let bit = zoo.add(Kind::Modulo { modulus: 2 });
    let single = zoo.range(7, 7);
    let none = zoo.range(1, 0);
    let unit = zoo.tuple(&[]);
    let colour = zoo.add(Kind::Enum { constants: ["red", "green", "blue"].map(Name::predefined).to_vec() });
    let gaps = zoo.restricted(signed, &[(0, 0), (2, 3), (5, 5)]);
    let pair = zoo.tuple(&[signed, colour]);
    let grid = zoo.vector(&[bit, colour], bit);
    let queue = zoo.list(colour, 3);
    let units = zoo.list(unit, 4);
    let singles = zoo.list(single, 0);
    let nothings = zoo.list(none, 5);
    let subsets = zoo.set(signed, 6);
    let few = zoo.set(signed, 2);
    let too_many = zoo.set(bit, 9);
    let empty_sets = zoo.set(none, 3);
    // The derived order of pairs and their order of ranks differ, which sets must not confuse.
    let pair_sets = zoo.set(pair, 3);
    let choice = zoo.union(&[queue, none, pair, unit]);
    let impossible = zoo.tuple(&[queue, none]);
    let pair_gaps = zoo.restricted(pair, &[(1, 4), (6, 6), (11, 17)]);
    let queue_gaps = zoo.restricted(queue, &[(0, 2), (20, 39)]);
    let set_gaps = zoo.restricted(pair_sets, &[(3, 30), (40, 41), (900, 987)]);
    let choice_gaps = zoo.restricted(choice, &[(2, 41), (58, 58)]);
    let nested = zoo.tuple(&[gaps, pair_gaps, bit, gaps]);
    let nested_list = zoo.list(choice_gaps, 2);
    let nested_set = zoo.set(pair_gaps, 4);
    let set_of_sets = zoo.set(too_many, 4);
    let nested_vector = zoo.vector(&[colour], queue_gaps);
    let all = vec![
        signed,
        bit,
        single,
        none,
        unit,
        colour,
        gaps,
        pair,
        grid,
        queue,
        units,
        singles,
        nothings,
        subsets,
        few,
        too_many,
        empty_sets,
        pair_sets,
        choice,
        impossible,
        pair_gaps,
        queue_gaps,
        set_gaps,
        choice_gaps,
        nested,
        nested_list,
        nested_set,
        set_of_sets,
        nested_vector,
    ];
    (zoo.types, all)
}

fn digits_of(types: &Types, ty: TypeIdx, value: &Value) -> Vec<Digit> {
    let mut digits = vec![];
    types.digits(ty, value, &mut digits).expect("a value of the type");
    digits
}

/// Reads a value back, checks that its reader foretells every cardinality and stops at the end.
fn read_digits(types: &Types, ty: TypeIdx, digits: &[Digit]) -> Option<Value> {
    let mut rest = digits.iter();
    let value = types.from_digits(ty, &mut |cardinality| {
        let digit = rest.next()?;
        assert_eq!(digit.cardinality, cardinality);
        Some(digit.rank)
    });
    assert!(rest.next().is_none(), "digits left over");
    value
}

#[test]
fn ranks_number_all_values_in_order() {
    let (types, all) = small_types();
    for ty in all {
        let mut expected = enumerate(&types, ty);
        expected.sort_by_cached_key(|value| key(&types, ty, value));
        assert_eq!(types.cardinality(ty), Cardinality::Word(expected.len() as u64), "{:?}", types[ty]);
        let values: Vec<Value> = types.values(ty).expect("a small type").collect();
        assert_eq!(values, expected, "{:?}", types[ty]);
        for (rank, value) in values.iter().enumerate() {
            assert_eq!(types.rank(ty, value), Some(rank as u64), "{value:?} of {:?}", types[ty]);
            assert!(types.contains(ty, value));
            assert_eq!(read_digits(&types, ty, &digits_of(&types, ty, value)).as_ref(), Some(value));
        }
        assert_eq!(types.unrank(ty, values.len() as u64), None);
        if let Some(first) = values.first() {
            assert_eq!(&types.first_value(ty), first);
        }
    }
}

#[test]
fn order_agrees_with_ranks() {
    let (types, all) = small_types();
    for ty in all {
        let values: Vec<Value> = types.values(ty).expect("a small type").collect();
        // All pairs of small types, near and far ones of the larger types.
        let step = values.len() / 150 + 1;
        for (i, a) in values.iter().enumerate() {
            for (j, b) in values.iter().enumerate().filter(|(j, _)| j % step == 0 || i.abs_diff(*j) < 2) {
                assert_eq!(types.order(ty, a, b), i.cmp(&j), "{a:?} and {b:?} of {:?}", types[ty]);
            }
        }
    }
}

#[test]
fn values_of_other_types_have_no_rank() {
    let (types, all) = small_types();
    let sample: Vec<Value> = all
        .iter()
        .flat_map(|&ty| {
            let step = types.values(ty).expect("a small type").count() / 40 + 1;
            types.values(ty).expect("a small type").step_by(step)
        })
        .collect();
    for &ty in &all {
        let members: std::collections::HashSet<Value> = enumerate(&types, ty).into_iter().collect();
        for value in &sample {
            assert_eq!(types.contains(ty, value), members.contains(value), "{value:?} in {:?}", types[ty]);
            assert_eq!(types.rank(ty, value).is_some(), members.contains(value));
            let mut digits = vec![];
            assert_eq!(types.digits(ty, value, &mut digits).is_some(), members.contains(value));
            assert_eq!(digits.is_empty(), !members.contains(value));
        }
    }
    // A set must be in the derived order and without repetition.
    let mut zoo = Zoo::default();
    let element = zoo.range(0, 9);
    let set = zoo.set(element, 3);
    for items in [[2, 1], [1, 1]] {
        let value = Value::Seq(items.map(Value::Int).into());
        assert_eq!((zoo.types.rank(set, &value), zoo.types.contains(set, &value)), (None, false));
    }
}

#[test]
fn sets_are_numbered_by_their_greatest_elements() {
    let mut zoo = Zoo::default();
    let element = zoo.range(0, 2);
    let set = zoo.set(element, 2);
    let shown: Vec<String> =
        zoo.types.values(set).expect("a small type").map(|v| zoo.types.show(set, &v)).collect();
    assert_eq!(shown, ["||", "|0|", "|1|", "|2|", "|0, 1|", "|0, 2|", "|1, 2|"]);
}

#[test]
fn cardinalities_reach_the_end_of_the_word() {
    use Cardinality::{Huge, Word};
    let mut zoo = Zoo::default();
    let bit = zoo.range(0, 1);
    let byte = zoo.range(0, 255);
    let int = zoo.range(i64::from(i32::MIN), i64::from(i32::MAX));
    let all = zoo.range(i64::MIN, i64::MAX);
    let almost_all = zoo.range(i64::MIN + 1, i64::MAX);
    let half =
        zoo.constrained(zoo.types[all].kind.clone(), Some(vec![(Value::Int(-1), Value::Int(i64::MAX))]));
    let eight = zoo.tuple(&[byte; 8]);
    let seven = zoo.tuple(&[byte; 7]);
    let bits = zoo.list(bit, 62);
    let full = zoo.list(bit, 63);
    let too_many_bits = zoo.list(bit, 64);
    let unions = zoo.union(&[almost_all, bit]);
    let index = zoo.range(1, 63);
    let vector = zoo.vector(&[index], bit);
    let subsets = zoo.set(index, 63);
    let one_int = zoo.set(int, 1);
    let two_ints = zoo.set(int, 2);
    let three_ints = zoo.set(int, 3);
    for (ty, expected) in [
        (int, Word(1 << 32)),
        (all, Huge),
        (almost_all, Word(u64::MAX)),
        (half, Word((1 << 63) + 1)),
        (eight, Huge),
        (seven, Word(1 << 56)),
        (bits, Word((1 << 63) - 1)),
        (full, Word(u64::MAX)),
        (too_many_bits, Huge),
        (unions, Huge),
        (vector, Word(1 << 63)),
        (subsets, Word(1 << 63)),
        (one_int, Word((1 << 32) + 1)),
        (two_ints, Word((1 << 63) + (1 << 31) + 1)),
        (three_ints, Huge),
    ] {
        assert_eq!(zoo.types.cardinality(ty), expected, "{:?}", zoo.types[ty]);
        let Word(n_values) = expected else {
            assert_eq!(zoo.types.rank(ty, &zoo.types.first_value(ty)), None);
            assert!(zoo.types.contains(ty, &zoo.types.first_value(ty)));
            continue;
        };
        let mut random = Random(n_values);
        let ranks =
            (0..200).map(|_| random.below(n_values)).chain([0, 1, n_values / 2, n_values - 2, n_values - 1]);
        let mut ranked: Vec<(u64, Value)> =
            ranks.map(|rank| (rank, zoo.types.unrank(ty, rank).expect("a rank in range"))).collect();
        for (rank, value) in &ranked {
            assert_eq!(zoo.types.rank(ty, value), Some(*rank), "{value:?}");
            assert!(zoo.types.contains(ty, value));
        }
        ranked.sort_by(|(_, a), (_, b)| zoo.types.order(ty, a, b));
        assert!(ranked.is_sorted_by_key(|(rank, _)| *rank), "{:?}", zoo.types[ty]);
        assert_eq!(zoo.types.unrank(ty, n_values), None);
        assert_eq!(zoo.types.first_value(ty), zoo.types.unrank(ty, 0).expect("a rank in range"));
    }
}

/// SplitMix64: a fixed sequence of numbers for each seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }

    /// A random value of any type, by its structure.
    fn value(&mut self, types: &Types, ty: TypeIdx) -> Value {
        if let Cardinality::Word(n_values) = types.cardinality(ty) {
            return types.unrank(ty, self.below(n_values)).expect("a rank in range");
        }
        match &types[ty].kind {
            Kind::Struct { components } => {
                Value::Tuple(components.iter().map(|component| self.value(types, component.ty)).collect())
            }
            Kind::Vector { indices, element } => {
                Value::Tuple((0..types.vector_len(indices)).map(|_| self.value(types, *element)).collect())
            }
            Kind::List { element, capacity, .. } => {
                let len = self.below(u64::from(*capacity) + 1);
                Value::Seq((0..len).map(|_| self.value(types, *element)).collect())
            }
            Kind::Set { element, capacity } => {
                let len = self.below(u64::from(*capacity) + 1);
                let mut items: Vec<Value> = (0..len).map(|_| self.value(types, *element)).collect();
                items.sort();
                items.dedup();
                Value::Seq(items.into())
            }
            Kind::Union { variants } => {
                let tag = self.below(variants.len() as u64);
                Value::Tagged(tag as u32, self.value(types, variants[tag as usize].ty).into())
            }
            Kind::Range { low, .. } => Value::Int(low.wrapping_add(self.next() as i64)),
            other => panic!("{other:?} can't be huge"),
        }
    }
}

#[test]
fn digits_take_huge_values_apart() {
    let mut zoo = Zoo::default();
    let all = zoo.range(i64::MIN, i64::MAX);
    let byte = zoo.range(0, 255);
    let index = zoo.range(1, 20);
    let small = zoo.tuple(&[byte, index]);
    let vector = zoo.vector(&[index], small);
    let list = zoo.list(vector, 3);
    let bytes = zoo.list(byte, 30);
    let set = zoo.set(small, 20);
    let wide_set = zoo.set(bytes, 4);
    let union = zoo.union(&[small, all, list, set]);
    let tuple = zoo.tuple(&[byte, union, wide_set, bytes]);
    let deep = zoo.list(tuple, 2);
    for ty in [all, vector, list, bytes, set, wide_set, union, tuple, deep] {
        assert_eq!(zoo.types.cardinality(ty), Cardinality::Huge);
        assert!(zoo.types.values(ty).is_none());
        let mut random = Random(ty.index() as u64);
        let mut values: Vec<Value> = (0..150).map(|_| random.value(&zoo.types, ty)).collect();
        let first = zoo.types.first_value(ty);
        values.push(first.clone());
        for value in &values {
            assert!(zoo.types.contains(ty, value));
            let digits = digits_of(&zoo.types, ty, value);
            assert!(digits.iter().all(|digit| digit.rank < digit.cardinality));
            assert_eq!(read_digits(&zoo.types, ty, &digits).as_ref(), Some(value));
            // Every digit is needed, and none may leave its base.
            for cut in 0..digits.len() {
                assert_eq!(read_digits(&zoo.types, ty, &digits[..cut]), None);
            }
            let last = *digits.last().expect("a huge type has digits");
            let mut outside = digits.clone();
            outside.pop();
            outside.push(Digit { rank: last.cardinality, ..last });
            assert_eq!(read_digits(&zoo.types, ty, &outside), None);
            assert_ne!(zoo.types.order(ty, &first, value), Ordering::Greater);
        }
        let mut by_key = values.clone();
        by_key.sort_by_cached_key(|value| key(&zoo.types, ty, value));
        values.sort_by(|a, b| zoo.types.order(ty, a, b));
        assert_eq!(values, by_key);
    }
    // The digits of a list of bytes, spelled out.
    let value = Value::Seq([9, 8].map(Value::Int).into());
    let digit = |rank, cardinality| Digit { rank, cardinality };
    assert_eq!(digits_of(&zoo.types, bytes, &value), [digit(2, 31), digit(9, 256), digit(8, 256)]);
    let value = Value::Int(-1);
    assert_eq!(
        digits_of(&zoo.types, all, &value),
        [digit(0x7fff_ffff, 1 << 32), digit(0xffff_ffff, 1 << 32)]
    );
}

#[test]
fn digits_respect_the_constraint_of_a_huge_type() {
    let mut zoo = Zoo::default();
    let byte = zoo.range(0, 255);
    let list = |items: &[i64]| Value::Seq(items.iter().map(|&item| Value::Int(item)).collect());
    let kind = Kind::List { index: byte, element: byte, capacity: 20 };
    let free = zoo.add(kind.clone());
    let tight = zoo
        .constrained(kind, Some(vec![(list(&[3]), list(&[7, 7])), (list(&[0, 0, 5]), list(&[9, 9, 9, 9]))]));
    let mut random = Random(5);
    assert_eq!(zoo.types.cardinality(tight), Cardinality::Huge);
    assert_eq!(zoo.types.first_value(tight), list(&[3]));
    for (items, allowed) in [
        (vec![], false),
        (vec![2], false),
        (vec![3], true),
        (vec![255, 6], true),
        (vec![0, 8], false),
        (vec![255, 255, 4], false),
        (vec![0, 0, 5], true),
        (vec![10, 9, 9, 9], false),
        (vec![0; 20], false),
    ] {
        let value = list(&items);
        assert_eq!(zoo.types.contains(tight, &value), allowed, "{items:?}");
        let mut digits = vec![];
        assert_eq!(zoo.types.digits(tight, &value, &mut digits).is_some(), allowed);
        let free_digits = digits_of(&zoo.types, free, &value);
        assert_eq!(read_digits(&zoo.types, tight, &free_digits), allowed.then_some(value));
    }
    for _ in 0..100 {
        let value = random.value(&zoo.types, free);
        assert!(zoo.types.contains(free, &value));
    }
    let value_of_set = Value::Seq([5, 4].map(Value::Int).into());
    let set = zoo.set(byte, 30);
    assert_eq!(zoo.types.digits(set, &value_of_set, &mut vec![]), None);
}
