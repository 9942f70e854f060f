//! The report of `petite compare` in a real browser: it has its table and its plots, nothing complains, nothing is asked
//! of the network.
//!
//! The browser is the one that `PETITE_CHROMIUM` names, and then it has to work: `.ci/run` installs one and sets it. Without
//! that, one that is installed is used, and where there is none the test says that it was skipped.
//!
//! The browser sends whatever it asks of the network to a proxy, which is this test and notes every request. A page that does
//! complain and does ask is looked at first, so that silence means something.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What a browser made of a page.
struct Seen {
    /// The page after it was laid out, as text.
    page: String,
    /// What the browser wrote: messages of the console are among it.
    log: String,
    /// The first lines of what was asked of the network for a page.
    requests: Vec<String>,
}

/// The browser, if there is one.
fn browser() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("PETITE_CHROMIUM") {
        assert!(Path::new(&path).exists(), "PETITE_CHROMIUM names no file: {}", path.to_string_lossy());
        return Some(path.into());
    }
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let folders: Vec<PathBuf> =
        std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|path| path.is_file())
}

/// A folder of its own, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Notes what is asked of the network, and answers nothing.
fn proxy() -> (u16, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let requests = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&requests);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut line = String::new();
            let _ = stream.set_read_timeout(Some(Duration::from_secs(2)));
            let _ = BufReader::new(stream).take(4096).read_line(&mut line);
            noted.lock().expect("nobody panics with it").push(line.trim().to_owned());
        }
    });
    (port, requests)
}

fn look_at(browser: &Path, page: &Path, scratch: &Path) -> Seen {
    let (port, requests) = proxy();
    let profile = scratch.join(format!("profile-{port}"));
    let mut child = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--disable-default-apps", "--disable-extensions", "--enable-logging=stderr", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("--proxy-server=http://127.0.0.1:{port}"))
        .arg("--proxy-bypass-list=<-loopback>")
        .arg(format!("file://{}", page.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the browser starts");
    let (mut stdout, mut stderr) = (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
    let output = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stdout.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let log = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stderr.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let began = Instant::now();
    while child.try_wait().expect("the browser can be watched").is_none() {
        if began.elapsed() > Duration::from_secs(120) {
            let _ = child.kill();
            panic!("the browser did not end within two minutes");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let page = output.join().expect("read");
    let log = log.join().expect("read");
    // The browser's own calls home are not the page's.
    let is_own = |request: &String| {
        ["google", "gstatic", "gvt1", "chromium.org"].iter().any(|host| request.contains(host))
    };
    let all = requests.lock().expect("nobody panics with it").clone();
    Seen { page, log, requests: all.into_iter().filter(|request| !is_own(request)).collect() }
}

#[test]
fn the_report_works_in_a_browser() {
    let Some(browser) = browser() else {
        let _ = writeln!(std::io::stderr(), "skipped: there is no chromium, and PETITE_CHROMIUM is not set");
        return;
    };
    let scratch = Scratch::new("report");

    let noisy = scratch.0.join("noisy.html");
    let text = "<!doctype html><img src='http://petite.invalid/x.png'><script>console.error('ouch')</script>";
    std::fs::write(&noisy, text).expect("a page for the test");
    let seen = look_at(&browser, &noisy, &scratch.0);
    assert!(seen.log.contains("CONSOLE") && seen.log.contains("ouch"), "{}", seen.log);
    assert!(seen.requests.iter().any(|request| request.contains("petite.invalid")), "{:?}", seen.requests);

    let report = scratch.0.join("report.html");
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/either_fork.lna");
    let status = Command::new(env!("CARGO_BIN_EXE_petite"))
        .arg("compare")
        .arg(model)
        .args(["--param", "N=7", "--stores", "plain,tree,collapse,delta,sweep", "--sweep", "k=1,5,20", "-q"])
        .arg("--report")
        .arg(&report)
        .stdout(Stdio::null())
        .status()
        .expect("the command starts");
    assert_eq!(status.code(), Some(0));
    let Seen { page, log, requests } = look_at(&browser, &report, &scratch.0);
    let table =
        page.split("id=\"ways\"").nth(1).and_then(|rest| rest.split("</table>").next()).expect("a table");
    // The heading, and plain, tree, collapse, three of delta, sweep.
    assert_eq!(table.matches("<tr").count(), 1 + 7, "{table}");
    assert!(table.contains("2,187"), "{table}");
    for plot in ["memory-time", "memory-states", "sweep-memory", "sweep-time", "sweep-trade"] {
        let figure =
            page.split(&format!("id=\"{plot}\"")).nth(1).and_then(|rest| rest.split("</figure>").next());
        let figure = figure.unwrap_or_else(|| panic!("no plot {plot}"));
        assert!(
            figure.contains("<svg") && figure.contains("<circle") | figure.contains("<polyline"),
            "{figure}"
        );
    }
    assert!(!log.contains("CONSOLE"), "{log}");
    assert_eq!(requests, Vec::<String>::new());
}
