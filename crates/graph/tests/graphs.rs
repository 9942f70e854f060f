//! Graphs of random token games: built in every order, written, read, walked and asked, against what a search knows.

use std::ops::ControlFlow;

use petite_bits::{MappedFile, SlotIdx, mix64};
use petite_graph::{
    About, Builder, Comparison, Components, FileError, Graph, GraphEdge, Labels, NodeId, Walker, Way, Words,
    compare_languages, predecessors, shortest_path,
};
use petite_model::{Model, TokenGame};
use petite_search::{
    Counted, Limits, Measure, NoObserver, Order, Silent, Sum, breadth_first, explore, sweep, sweep_exact,
};
use petite_store::{Lookup, Plain, StateId, StateSet};

/// A game with some dozens of states.
fn game(seed: u64) -> TokenGame {
    let places = 2 + (mix64(seed) % 4) as u32;
    let tokens = 1 + (mix64(seed + 1) % 3) as u32;
    TokenGame::new(places, tokens, 1 + (seed % 3) as u32, seed).unwrap()
}

fn built(game: &mut TokenGame, order: Order, labels: Labels) -> (Graph, Plain) {
    let way = match order {
        Order::BreadthFirst => Way::NodeByNode,
        Order::DepthFirst => Way::AlongThePath,
    };
    let (mut store, mut builder) = (Plain::new(game.packing()), Builder::new(game, way));
    let report = explore(game, &mut store, order, &Limits::NONE, &mut Silent, &mut builder);
    assert!(report.is_complete());
    let graph = builder.finish(game, &About::default(), labels).unwrap();
    assert_eq!((graph.n_nodes() as u64, graph.n_edges()), (report.states, report.edges));
    (graph, store)
}

fn edges_of(graph: &Graph) -> Vec<Vec<GraphEdge>> {
    let mut reader = graph.reader();
    graph.nodes().map(|node| reader.edges(node).to_vec()).collect()
}

#[test]
fn walks_meet_the_states_that_the_search_stored() {
    for seed in 0..60 {
        for order in [Order::BreadthFirst, Order::DepthFirst] {
            for labels in [Labels::Kept, Labels::Left] {
                let mut game = game(seed);
                let (graph, mut store) = built(&mut game, order, labels);
                let with_labels = edges_of(&built(&mut game, order, Labels::Kept).0);
                let graph = Graph::from_bytes(graph.as_bytes().to_vec()).unwrap();
                let mut other = self::game(seed);
                let mut walker = Walker::new(&graph, &mut other).unwrap();
                let mut stored = vec![0; game.packing().n_words()];
                let mut met = 0;
                let walked = walker.walk(|visit| {
                    store.get(&mut game, StateId(visit.node.0), &mut stored);
                    assert_eq!(visit.words, &stored[..], "seed {seed}, {:?}", visit.node);
                    assert_eq!(visit.edges, &with_labels[visit.node.index()][..], "seed {seed}");
                    met += 1;
                    ControlFlow::Continue(())
                });
                assert!(walked.unwrap().is_continue());
                assert_eq!(met, store.len(), "seed {seed}");
                for node in graph.nodes().step_by(7) {
                    store.get(&mut game, StateId(node.0), &mut stored);
                    assert_eq!(walker.marking(node).unwrap(), &stored[..], "seed {seed}, {node:?}");
                }
            }
        }
    }
}

#[test]
fn sweeps_find_the_same_whatever_the_measure() {
    for seed in 0..150 {
        let mut game = game(seed);
        let (graph, _) = built(&mut game, Order::BreadthFirst, Labels::Kept);
        let random = |i: u64| (mix64(seed * 100 + i) % 7) as i64 - 3;
        let n_slots = game.layout().slots.len() as u64;
        let sum = |at: u64| Sum {
            terms: (0..n_slots).map(|s| (Counted::Slot(SlotIdx(s as u32)), random(at * 10 + s))).collect(),
        };
        let measure = Measure { sums: (0..seed % 3).map(sum).collect() };

        let mut builder = Builder::new(&game, Way::NodeByNode);
        let exact = sweep_exact(&mut game, &measure, &Limits::NONE, &mut Silent, &mut builder);
        assert!(exact.report.is_complete());
        let folded = builder.finish_sweep(&game, &About::default(), Labels::Kept, &exact.aliases).unwrap();
        assert_eq!((folded.n_nodes(), folded.n_edges()), (graph.n_nodes(), graph.n_edges()), "seed {seed}");
        assert_eq!(exact.report.states, graph.n_nodes() as u64);

        let mut builder = Builder::new(&game, Way::NodeByNode);
        let swept = sweep(&mut game, &measure, &Limits::NONE, &mut Silent, &mut builder);
        let unfolded = builder.finish_sweep(&game, &About::default(), Labels::Kept, &swept.aliases).unwrap();
        assert!(unfolded.n_nodes() >= graph.n_nodes(), "seed {seed}");
        assert!(swept.report.states - swept.counted_again_at_most <= graph.n_nodes() as u64, "seed {seed}");
        if swept.regress_edges == 0 {
            assert_eq!(unfolded.n_nodes(), graph.n_nodes(), "seed {seed}");
        }
        for other in [&folded, &unfolded] {
            for words in [Words::All, Words::Halting] {
                let compared = compare_languages([&graph, other], &|_, _| false, words, 1 << 20);
                assert_eq!(compared, Ok(Comparison::Equal), "seed {seed}");
            }
        }
        let store = &mut Plain::new(game.packing());
        let full = breadth_first(&mut game, store, &Limits::NONE, &mut Silent, &mut NoObserver);
        assert_eq!(full.dead_states, exact.report.dead_states, "seed {seed}");
        assert_eq!(full.group_maxima, exact.report.group_maxima, "seed {seed}");
    }
}

#[test]
fn components_are_those_of_the_reachability_relation() {
    for seed in 0..60 {
        let (graph, _) = built(&mut game(seed), Order::DepthFirst, Labels::Kept);
        let n = graph.n_nodes();
        let reaches: Vec<Vec<bool>> = graph
            .nodes()
            .map(|from| {
                let path = |to| shortest_path(&graph, from, |node| node == to).unwrap();
                graph.nodes().map(|to| path(to).is_some()).collect()
            })
            .collect();
        let components = Components::of(&graph).unwrap();
        let same = |a: usize, b: usize| reaches[a][b] && reaches[b][a];
        for (a, reached) in reaches.iter().enumerate() {
            for b in 0..n {
                let found = [a, b].map(|node| components.component(NodeId::new(node)));
                assert_eq!(found[0] == found[1], same(a, b), "seed {seed}: {a} and {b}");
            }
            let is_terminal = (0..n).all(|b| !reached[b] || same(a, b));
            assert_eq!(components.is_terminal(components.component(NodeId::new(a))), is_terminal);
        }
        let firsts = (0..n).filter(|&a| (0..a).all(|b| !same(a, b))).count();
        assert_eq!(components.len(), firsts, "seed {seed}");
        let home = (0..n).filter(|&a| (0..n).all(|b| reaches[b][a])).count();
        assert_eq!(components.n_home_states(), home, "seed {seed}");
        let cyclic = |a: &usize| {
            let successors: Vec<NodeId> = graph.successors(NodeId::new(*a)).collect();
            (0..*a).all(|b| !same(*a, b))
                && ((0..n).any(|b| b != *a && same(*a, b)) || successors.contains(&NodeId::new(*a)))
        };
        assert_eq!(components.n_cyclic(), (0..n).filter(cyclic).count(), "seed {seed}");
    }
}

#[test]
fn paths_are_shortest_and_predecessors_are_all() {
    for seed in 0..40 {
        // Numbers of a breadth-first search grow with the distance from the first node.
        let (graph, _) = built(&mut game(seed), Order::BreadthFirst, Labels::Kept);
        let edges = edges_of(&graph);
        let mut longest = 0;
        for node in graph.nodes() {
            let path = shortest_path(&graph, NodeId(0), |other| other == node).unwrap().unwrap();
            assert!(path.len() >= longest, "seed {seed}");
            longest = path.len();
            let mut at = NodeId(0);
            for (from, edge) in path {
                assert_eq!(from, at);
                at = edges[from.index()][edge].target;
            }
            assert_eq!(at, node);
            let count = edges.iter().flatten().filter(|edge| edge.target == node).count();
            assert_eq!(predecessors(&graph, node).count(), count);
        }
    }
}

#[test]
fn damaged_bytes_are_refused_by_name() {
    let (graph, _) = built(&mut game(5), Order::BreadthFirst, Labels::Kept);
    let bytes = graph.as_bytes();
    let read = |bytes: &[u8]| Graph::from_bytes(bytes.to_vec()).map(drop);
    assert_eq!(read(bytes), Ok(()));
    assert_eq!(read(b"net {}"), Err(FileError::NotAGraph));
    for length in 0..bytes.len() {
        let expected = if length < 8 { FileError::NotAGraph } else { read(&bytes[..length]).unwrap_err() };
        assert_eq!(read(&bytes[..length]), Err(expected));
        if length >= 8 {
            assert!(matches!(expected, FileError::Truncated { .. }), "{length}: {expected:?}");
        }
    }
    for at in 0..bytes.len() {
        let mut damaged = bytes.to_vec();
        damaged[at] ^= 1 << (at % 8);
        let expected = match at {
            0..8 => FileError::NotAGraph,
            8..12 => FileError::Version(u32::from_le_bytes(*damaged[8..].first_chunk().unwrap())),
            // A length that is larger than the file is.
            16..24 => match read(&damaged).unwrap_err() {
                error @ FileError::Truncated { .. } => error,
                _ => FileError::Corrupted,
            },
            _ => FileError::Corrupted,
        };
        assert_eq!(read(&damaged), Err(expected), "byte {at}");
    }
    let mut longer = bytes.to_vec();
    longer.push(0);
    assert_eq!(read(&longer), Err(FileError::Corrupted));
}

/// A graph in a mapped file is the graph that was written; one that somebody changes under way harms nobody, and is known.
#[test]
fn a_mapped_file_is_a_graph() {
    let (graph, _) = built(&mut game(6), Order::BreadthFirst, Labels::Kept);
    let path = std::env::temp_dir().join(format!("petite-graph-{}.graph", std::process::id()));
    std::fs::write(&path, graph.as_bytes()).unwrap();
    let file = std::fs::OpenOptions::new().read(true).write(true).open(&path).unwrap();
    let mapped = Graph::from_bytes(MappedFile::new(&file).unwrap()).unwrap();
    assert_eq!(mapped.as_bytes(), graph.as_bytes());
    let (mut from_file, mut from_memory) = (mapped.reader(), graph.reader());
    assert!(graph.nodes().all(|node| from_file.edges(node) == from_memory.edges(node)));
    assert!(mapped.is_unchanged());
    std::io::Write::write_all(&mut &file, &vec![0xA5; graph.as_bytes().len()]).unwrap();
    file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    assert!(!mapped.is_unchanged());
    let mut reader = mapped.reader();
    assert!(
        mapped.nodes().all(|node| reader.edges(node).iter().all(|e| e.target.index() < mapped.n_nodes()))
    );
    drop(mapped);
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn forged_checksums_do_not_make_a_graph() {
    let (graph, _) = built(&mut game(7), Order::DepthFirst, Labels::Kept);
    let bytes = graph.as_bytes();
    let (mut refused, mut accepted) = (0, 0);
    for at in 24..bytes.len() - 8 {
        for flip in [1u8, 0x80, 0xFF] {
            let mut forged = bytes[..bytes.len() - 8].to_vec();
            forged[at] ^= flip;
            let checksum = rapidhash::v3::rapidhash_v3(&forged);
            forged.extend_from_slice(&checksum.to_le_bytes());
            match Graph::from_bytes(forged) {
                // Whatever it says now, it can be asked without harm.
                Ok(graph) => {
                    accepted += 1;
                    let mut reader = graph.reader();
                    assert!(graph.nodes().all(|node| reader.edges(node).len() <= graph.n_edges() as usize));
                    assert!(Components::of(&graph).unwrap().len() <= graph.n_nodes());
                }
                Err(error) => {
                    assert_eq!(error, FileError::Corrupted);
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 0 && accepted > 0);
}

#[test]
fn languages_differ_by_a_word() {
    let mut first = TokenGame::new(3, 2, 2, 1).unwrap();
    let (a, _) = built(&mut first, Order::BreadthFirst, Labels::Kept);
    let (b, _) = built(&mut TokenGame::new(3, 2, 2, 2).unwrap(), Order::BreadthFirst, Labels::Kept);
    let compare = |pair, hide: &str| {
        compare_languages(pair, &|_, action| action.text.contains(hide), Words::All, 1 << 16).unwrap()
    };
    let Comparison::Different { word, only_in } = compare([&a, &b], "no such") else {
        panic!("games of different seeds are the same");
    };
    // The word is one of the graph that is said to have it, and none of the other.
    let runs = |graph: &Graph| {
        let (mut reader, mut at) = (graph.reader(), NodeId(0));
        word.iter().all(|letter| {
            let edges = reader.edges(at);
            let next = edges.iter().find(|edge| graph.actions()[edge.label.index()].text == *letter);
            at = next.map_or(at, |edge| edge.target);
            next.is_some()
        })
    };
    assert_eq!([runs(&a), runs(&b)], [only_in == 0, only_in == 1], "{word:?}");
    // With everything hidden there is only the empty word.
    assert_eq!(compare([&a, &b], ""), Comparison::Equal);
    let unlabelled = built(&mut first, Order::BreadthFirst, Labels::Left).0;
    assert!(compare_languages([&a, &unlabelled], &|_, _| false, Words::All, 9).is_err());
}

#[test]
fn a_limit_of_bytes_stops_the_search() {
    let mut game = TokenGame::new(5, 4, 3, 1).unwrap();
    let mut builder = Builder::new(&game, Way::NodeByNode).limited_to(100);
    let mut store = Plain::new(game.packing());
    let report = breadth_first(&mut game, &mut store, &Limits::NONE, &mut Silent, &mut builder);
    assert!(builder.is_out_of_memory() && !report.is_complete());
}
