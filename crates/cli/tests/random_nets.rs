//! Random nets, explored by Petite and by a naive search written for this test alone.

#[path = "random_nets/describe.rs"]
mod describe;
#[path = "random_nets/draw_expr.rs"]
mod draw_expr;
#[path = "random_nets/draw_transition.rs"]
mod draw_transition;
#[path = "random_nets/evaluate.rs"]
mod evaluate;
#[path = "random_nets/generator.rs"]
mod generator;
#[path = "random_nets/naive.rs"]
mod naive;
#[path = "random_nets/render.rs"]
mod render;
#[path = "random_nets/rng.rs"]
mod rng;
#[path = "random_nets/show.rs"]
mod show;
#[path = "random_nets/slots.rs"]
mod slots;
#[path = "random_nets/wellformed.rs"]
mod wellformed;

#[test]
fn statistics() {
    use naive::{Bounds, Verdict, explore};
    let n: u64 = std::env::var("RANDOM_NETS").ok().and_then(|n| n.parse().ok()).unwrap_or(500);
    let mut states = vec![];
    let (mut wrong, mut large) = (std::collections::BTreeMap::new(), 0);
    let start = std::time::Instant::now();
    for seed in 0..n {
        let net = generator::draw(seed);
        assert!(wellformed::is_well_formed(&net), "{seed}\n{}", net.render());
        match explore(&net, Bounds { states: 3000, combinations: 2000 }) {
            Verdict::Explored(e) => { if e.states.len() < 5 && seed < 0 { println!("{} states {} edges\n{}", e.states.len(), e.edges.len(), net.render()); } states.push(e.states.len()) }
            Verdict::Wrong(w) => *wrong.entry(format!("{w:?}")).or_insert(0) += 1,
            Verdict::TooLarge => large += 1,
        }
        if seed < 0 { println!("{}", net.render()); }
    }
    states.sort();
    println!("{:?}", start.elapsed());
    let q = |p: usize| states[(states.len() - 1) * p / 100];
    println!("{} explored, {wrong:?}, {large} large; {:?}", states.len(), [0, 10, 25, 50, 75, 90, 95, 100].map(q));
}
