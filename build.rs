//! Packs the question catalogue while the crate is built. Its files are YAML for those who write them, and to read YAML at
//! every status would take ten times as long as everything else that a status does. What comes out is `MessagePack`, whose
//! texts are lent as they stand, and need no look at each of their bytes.
//!
//! It also links what is only tested to a fixed address. The tests start the program thousands of times, and a large
//! program without optimisation has so much in it that moves with its address that every start would write a megabyte of
//! pages before `main`. A release keeps a random address.

#![expect(clippy::disallowed_methods, reason = "a build script is told by its environment what to do")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

const CATALOGUE: &str = "src/interviewer/catalogue";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={CATALOGUE}");
    println!("cargo::rerun-if-changed=build.rs");
    if is("PROFILE", "debug") && is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg=-no-pie");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo did not say where to write")?);
    for entry in fs::read_dir(CATALOGUE)? {
        let file = entry?.path();
        if file.extension().is_some_and(|ending| ending == "yaml") {
            let packed = packed(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            let name = file.file_stem().ok_or("a file has a name")?;
            fs::write(out.join(name).with_extension("msgpack"), packed)?;
        }
    }
    Ok(())
}

fn is(variable: &str, value: &str) -> bool {
    env::var_os(variable).is_some_and(|found| found == value)
}

fn packed(file: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    // A key that stands twice is an error already here.
    let value: serde_yaml::Value = serde_yaml::from_str(&fs::read_to_string(file)?)?;
    Ok(rmp_serde::to_vec(&value)?)
}
