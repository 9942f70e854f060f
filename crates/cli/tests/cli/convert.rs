//! `petite convert`: what it writes can be explored again, and what it cannot write it says.

use std::path::Path;
use std::process::Stdio;

use crate::common::{Scratch, petite, run};

fn model(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name).to_string_lossy().into_owned()
}

fn in_scratch(scratch: &Scratch, name: &str) -> String {
    scratch.path().join(name).to_string_lossy().into_owned()
}

/// A net with one place of a small capacity and one transition that fills it.
fn filling(capacity: u32) -> String {
    format!(
        "filling {{ place p {{ dom: epsilon; init: epsilon; capacity: {capacity}; }}
         place q {{ dom: epsilon; init: 2*epsilon; capacity: 5; }}
         transition t {{ in {{ q: epsilon; }} out {{ p: epsilon; }} }} }}"
    )
}

#[test]
fn converted_models_have_the_same_figures() {
    let scratch = Scratch::new("convert-figures");
    for (name, more, kind) in [
        ("philosophers.lna", vec!["--param", "N=6"], "symmetricnet"),
        ("philosophers.lna", vec!["--unfold"], "ptnet"),
        ("sliding.lna", vec![], "ptnet"),
    ] {
        let target = in_scratch(&scratch, "out.pnml");
        let unfold = |word: &&str| *word != "--unfold";
        let (model, parameters): (String, Vec<&str>) =
            (model(name), more.iter().copied().filter(unfold).collect());
        let converted = run(&[&["convert", &model, "-o", &target], &more[..]].concat());
        assert_eq!((converted.status, converted.stdout.as_str()), (Some(0), ""), "{}", converted.stderr);
        let text = std::fs::read_to_string(&target).unwrap();
        assert!(text.contains(&format!("grammar/{kind}\"")), "{name}");
        let before = run(&[&["explore", &model, "-q"], &parameters[..]].concat());
        let after = run(&["explore", &target, "-q"]);
        assert_eq!((after.status, after.stdout), (Some(0), before.stdout), "{name} {more:?}");
        let again = run(&["convert", &target, "--to", "pnml"]);
        assert_eq!(again.status, Some(0), "{}", again.stderr);
    }
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 1, "nothing else is left behind");
}

#[test]
fn pictures_are_written() {
    let scratch = Scratch::new("convert-dot");
    let target = in_scratch(&scratch, "net.gv");
    assert_eq!(run(&["convert", &model("philosophers.lna"), "-o", &target]).status, Some(0));
    let text = std::fs::read_to_string(&target).unwrap();
    assert!(text.starts_with("digraph \"philosophers\" {\n") && text.ends_with("}\n"), "{text}");
    assert!(text.contains("shape=circle") && text.contains("shape=box") && text.contains("<(s)>"), "{text}");
    let unfolded = run(&["convert", &model("philosophers.lna"), "--to", "dot", "--unfold"]);
    assert!(unfolded.stdout.contains("thinking(0)"), "{}", unfolded.stdout);
}

#[test]
fn the_format_must_be_known() {
    let path = model("philosophers.lna");
    for arguments in [vec!["convert", &path], vec!["convert", &path, "-o", "/tmp/x.txt"]] {
        let refused = run(&arguments);
        assert_eq!((refused.status, refused.stdout.as_str()), (Some(2), ""));
        assert!(refused.stderr.contains("say --to pnml or --to dot"), "{}", refused.stderr);
    }
}

#[test]
fn a_model_is_never_overwritten() {
    let scratch = Scratch::new("convert-overwrite");
    let path = scratch.file("m.pnml", "<pnml><net id='n' type='ptnet'><place id='p'/></net></pnml>");
    let before = std::fs::read(&path).unwrap();
    let roundabout = format!("{}/../convert-overwrite/m.pnml", scratch.path().to_string_lossy());
    for target in [&path, &roundabout] {
        let refused = run(&["convert", &path, "-o", target]);
        assert_eq!(refused.status, Some(2));
        assert!(refused.stderr.contains("the model itself"), "{}", refused.stderr);
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn what_pnml_cannot_say_is_refused_by_name() {
    let scratch = Scratch::new("convert-refused");
    let path = scratch.file("filling.lna", filling(2));
    let refused = run(&["convert", &path, "--to", "pnml"]);
    assert_eq!((refused.status, refused.stdout.as_str()), (Some(2), ""), "{}", refused.stderr);
    assert!(refused.stderr.contains("capacity exceeded in place p"), "{}", refused.stderr);
    let path = scratch.file("fitting.lna", filling(3));
    let fits = run(&["convert", &path, "--to", "pnml"]);
    assert_eq!((fits.status, fits.stderr.as_str()), (Some(0), ""));
    let refused = run(&["convert", &model("elevator.lna"), "--to", "pnml"]);
    assert_eq!((refused.status, refused.stdout.as_str()), (Some(2), ""));
    assert!(refused.stderr.contains("has no priorities, but "), "{}", refused.stderr);
    let bad = run(&["convert", &scratch.file("bad.lna", "bad {"), "--to", "dot"]);
    assert_eq!((bad.status, bad.stdout.as_str()), (Some(2), ""));
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let scratch = Scratch::new("convert-unwritable");
    let path = model("philosophers.lna");
    let nowhere = in_scratch(&scratch, "no/such/folder/x.dot");
    let refused = run(&["convert", &path, "-o", &nowhere]);
    assert_eq!(refused.status, Some(2));
    assert!(refused.stderr.contains("cannot write the file"), "{}", refused.stderr);
    let folder = scratch.path().to_string_lossy().into_owned();
    assert_eq!(run(&["convert", &path, "--to", "dot", "-o", &folder]).status, Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn full_disks_and_closed_pipes_are_errors() {
    let path = model("philosophers.lna");
    let full = run(&["convert", &path, "--to", "dot", "-o", "/dev/full"]);
    assert_eq!(full.status, Some(2));
    assert!(full.stderr.contains("no space left"), "{}", full.stderr);
    let arguments = ["convert", &path, "--param", "N=300", "--to", "dot", "--unfold"];
    let mut child = petite().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(complaint.contains("cannot write to standard output: broken pipe"), "{complaint}");
}
