//! What is run: each way at each value of what is swept.

use crate::sweep::{Knob, Sweep};
use crate::way::Way;

/// One run of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// How states are kept.
    pub way: Way,
    /// The value of the store's parameter that is swept, if one is and the store has it.
    pub setting: Option<(&'static str, i64)>,
    /// The values of the model's constants that are swept.
    pub instance: Vec<(String, i64)>,
}

/// All cases: for each size of the model every way, the plain table first; a way whose parameter is swept once for
/// each value.
pub fn cases(ways: &[Way], sweeps: &[Sweep]) -> Vec<Case> {
    let mut instances = vec![Vec::new()];
    for Sweep { knob, values } in sweeps {
        if let Knob::Model(name) = knob {
            let with = |instance: &Vec<(String, i64)>, &value: &i64| {
                let mut instance = instance.clone();
                instance.push((name.clone(), value));
                instance
            };
            instances = instances
                .iter()
                .flat_map(|instance| values.iter().map(move |value| with(instance, value)))
                .collect();
        }
    }
    let mut cases = Vec::new();
    for instance in instances {
        for way in ways {
            let settings = sweeps.iter().filter_map(|sweep| match sweep.knob {
                Knob::Store { flag, store } if store == way.store => Some((flag, &sweep.values)),
                _ => None,
            });
            let mut is_swept = false;
            for (flag, values) in settings {
                is_swept = true;
                cases.extend(values.iter().map(|&value| Case {
                    way: way.clone(),
                    setting: Some((flag, value)),
                    instance: instance.clone(),
                }));
            }
            if !is_swept {
                cases.push(Case { way: way.clone(), setting: None, instance: instance.clone() });
            }
        }
    }
    cases
}

impl Case {
    /// What it is called: `delta+dfs k=7`, `tree, N=5`.
    pub fn name(&self) -> String {
        let mut name = self.way.name.clone();
        if let Some((flag, value)) = self.setting {
            name += &format!(" {flag}={value}");
        }
        for (parameter, value) in &self.instance {
            name += &format!(", {parameter}={value}");
        }
        name
    }

    /// The arguments of `petite explore` that ask for it.
    pub fn arguments(&self) -> Vec<String> {
        let mut arguments = self.way.arguments();
        if let Some((flag, value)) = self.setting {
            arguments.extend([format!("--{flag}"), value.to_string()]);
        }
        for (parameter, value) in &self.instance {
            arguments.extend(["--param".to_owned(), format!("{parameter}={value}")]);
        }
        arguments
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::way::ways;

    #[test]
    fn each_way_runs_at_each_value() {
        let ways = ways("plain,delta,delta+dfs").unwrap();
        let sweeps = [Sweep::read("k=1,7").unwrap(), Sweep::read("N=2..3").unwrap()];
        let names: Vec<String> = cases(&ways, &sweeps).iter().map(Case::name).collect();
        let of = |n: u32| {
            ["plain", "delta k=1", "delta k=7", "delta+dfs k=1", "delta+dfs k=7"]
                .map(|name| format!("{name}, N={n}"))
        };
        assert_eq!(names, [of(2), of(3)].concat());
        let last = &cases(&ways, &sweeps)[9];
        assert_eq!(last.arguments().join(" "), "--store delta --search dfs --k 7 --param N=3");
    }

    #[test]
    fn without_sweeps_a_way_is_a_case() {
        assert_eq!(cases(&ways("usual").unwrap(), &[]).len(), ways("usual").unwrap().len());
    }
}
