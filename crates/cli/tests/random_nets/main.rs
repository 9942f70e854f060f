//! Random nets, explored by Petite and by a naive search written for this test alone.

mod account;
mod describe;
mod differ;
mod draw_expr;
mod draw_transition;
mod evaluate;
mod generator;
mod naive;
mod petite_side;
mod render;
mod rng;
mod show;
mod shrink;
mod slots;
mod walk;
mod wellformed;

#[test]
fn statistics() {
    use naive::Verdict;
    let n: u64 = std::env::var("RANDOM_NETS").ok().and_then(|n| n.parse().ok()).unwrap_or(500);
    let mut states = vec![];
    let (mut wrong, mut large) = (std::collections::BTreeMap::new(), 0);
    let start = std::time::Instant::now();
    let mut drawing = std::time::Duration::ZERO;
    let only: Option<u64> = std::env::var("SEED").ok().and_then(|n| n.parse().ok());
    let mut fails = 0;
    for seed in only.map_or(0..n, |s| s..s + 1) {
        let s = std::time::Instant::now();
        let net = generator::draw(seed);
        drawing += s.elapsed();
        assert!(wellformed::is_well_formed(&net), "{seed}\n{}", net.render());
        match differ::compare(&net, seed) {
            differ::Outcome::Agreed(Verdict::Explored(e)) => states.push(e.states.len()),
            differ::Outcome::Agreed(Verdict::Wrong(w)) => *wrong.entry(format!("{w:?}")).or_insert(0) += 1,
            differ::Outcome::Agreed(Verdict::TooLarge) => large += 1,
            differ::Outcome::Differs(m) => {
                fails += 1;
                if fails > 12 {
                    continue;
                }
                println!("seed {seed} {:?}\n{}", m.class, m.table);
                let class = m.class;
                let small = shrink::shrink(
                    net,
                    &mut |net| matches!(differ::compare(net, seed), differ::Outcome::Differs(m) if m.class == class),
                );
                println!("{}", small.render());
                if let differ::Outcome::Differs(m) = differ::compare(&small, seed) {
                    println!("{}", m.table);
                }
            }
        }
    }
    states.sort();
    println!("{fails} fails; {:?} drawing {drawing:?}", start.elapsed());
    let q = |p: usize| states[(states.len() - 1) * p / 100];
    println!(
        "{} explored, {wrong:?}, {large} large; {:?}",
        states.len(),
        [0, 10, 25, 50, 75, 90, 95, 100].map(q)
    );
}
