//! What a repository is for, as far as its files show: each sign speaks for one kind, and the surest comes first.

use super::entries::{Begins, Entry};
use super::foreign;
use super::languages::{self, Sort};
use super::manifests::{Dependency, Use, is_aside};
use super::tree::Tracked;
use crate::domain::facts::ProjectKind;

/// Frameworks by which a project answers requests.
const SERVERS: &[&str] = &[
    "actix-web",
    "axum",
    "rocket",
    "warp",
    "tonic",
    "poem",
    "salvo",
    "tide",
    "lambda_http",
    "django",
    "Django",
    "flask",
    "Flask",
    "fastapi",
    "starlette",
    "sanic",
    "tornado",
    "falcon",
    "bottle",
    "litestar",
    "uvicorn",
    "gunicorn",
    "grpcio",
    "djangorestframework",
    "express",
    "fastify",
    "koa",
    "@nestjs/core",
    "@hapi/hapi",
    "hono",
    "restify",
    "@apollo/server",
    "github.com/gin-gonic/gin",
    "github.com/labstack/echo/v4",
    "github.com/gofiber/fiber/v2",
    "github.com/go-chi/chi/v5",
    "github.com/gorilla/mux",
    "google.golang.org/grpc",
    "rails",
    "sinatra",
    "hanami",
    "puma",
    "spring-boot-starter-web",
    "spring-boot-starter-webflux",
    "quarkus-resteasy",
    "ktor-server-core",
    "micronaut-http-server",
    "laravel/framework",
    "symfony/framework-bundle",
    "slim/slim",
];

/// Frameworks by which a program takes its command line apart.
const COMMANDS: &[&str] = &[
    "clap",
    "structopt",
    "argh",
    "lexopt",
    "pico-args",
    "bpaf",
    "gumdrop",
    "click",
    "typer",
    "docopt",
    "fire",
    "cyclopts",
    "textual",
    "commander",
    "yargs",
    "@oclif/core",
    "cac",
    "meow",
    "ink",
    "github.com/spf13/cobra",
    "github.com/urfave/cli/v2",
    "github.com/alecthomas/kong",
    "thor",
    "gli",
    "picocli",
    "symfony/console",
];

/// Frameworks of what is looked at in a browser.
const BROWSERS: &[&str] = &[
    "react",
    "react-dom",
    "vue",
    "svelte",
    "@sveltejs/kit",
    "@angular/core",
    "solid-js",
    "preact",
    "lit",
    "next",
    "nuxt",
    "astro",
    "@remix-run/react",
    "ember-source",
    "alpinejs",
    "yew",
    "leptos",
    "dioxus",
];

/// Files that describe machines and deployments.
fn is_infrastructure(file: &Tracked) -> bool {
    matches!(file.extension(), Some("tf" | "tfvars" | "bicep"))
        || matches!(
            file.name(),
            "Chart.yaml"
                | "kustomization.yaml"
                | "Pulumi.yaml"
                | "ansible.cfg"
                | "playbook.yml"
                | "site.yml"
                | "serverless.yml"
                | "helmfile.yaml"
        )
        || file
            .path
            .split('/')
            .any(|folder| matches!(folder, "playbooks" | "roles" | "terraform" | "k8s" | "manifests"))
            && matches!(file.extension(), Some("yml" | "yaml" | "j2"))
}

/// Languages of pages, styles and small helpers: a repository of documents may have them.
const DRESS: &[&str] = &["CSS", "SCSS", "Less", "HTML", "Makefile", "Just", "Shell", "Dockerfile"];

/// Whether a file is one of the papers that every repository has. They say nothing about what it is for: a repository
/// that holds a README alone may become anything.
fn is_paper(file: &Tracked) -> bool {
    const PAPERS: &[&str] = &[
        "readme",
        "license",
        "licence",
        "copying",
        "changelog",
        "contributing",
        "code_of_conduct",
        "security",
        "authors",
    ];
    let name = file.name().to_lowercase();
    let stem = name.split(['.', '-']).next().unwrap_or_default();
    file.depth() == 0 && PAPERS.contains(&stem)
}

/// The kinds, the surest first.
pub(super) fn find(files: &[Tracked], dependencies: &[Dependency<'_>], entries: &[Entry<'_>]) -> Vec<ProjectKind> {
    let own = || files.iter().filter(|file| !foreign::is_foreign(&file.path));
    let counted = |fits: &dyn Fn(&Tracked) -> bool| own().filter(|file| fits(file)).count();
    let programs = counted(&|file| {
        languages::of(file).is_some_and(|(name, sort)| sort == Sort::Code && !DRESS.contains(&name))
            && !is_infrastructure(file)
    });
    let documents =
        counted(&|file| languages::of(file).is_some_and(|(_, sort)| sort == Sort::Prose) && !is_paper(file));
    let machines = counted(&is_infrastructure);
    let begins = |wanted: Begins| entries.iter().filter(|entry| entry.begins == wanted).count();
    if programs == 0 && machines == 0 && begins(Begins::Page) == 0 && documents > 0 {
        return vec![ProjectKind::Documentation];
    }
    let uses = |known: &[&str]| {
        dependencies
            .iter()
            .any(|dependency| dependency.named.used == Use::Running && known.contains(&dependency.named.name.as_str()))
    };
    // What frontends list among what only development needs still runs in the browser.
    let mentions =
        |known: &[&str]| dependencies.iter().any(|dependency| known.contains(&dependency.named.name.as_str()));
    let (program, server) = (begins(Begins::Program) > 0, begins(Begins::Server) > 0);
    let signs = |signs: &[(bool, u32)]| signs.iter().filter(|(seen, _)| *seen).map(|(_, weight)| weight).sum::<u32>();
    let mut scored = [
        (ProjectKind::Service, signs(&[(server, 50), (uses(SERVERS) && (program || server), 40), (uses(SERVERS), 5)])),
        (ProjectKind::CommandLine, signs(&[(program && uses(COMMANDS), 40), (program, 30)])),
        (ProjectKind::Frontend, signs(&[(mentions(BROWSERS), 35), (begins(Begins::Page) > 0, 25)])),
        (
            ProjectKind::Library,
            signs(&[(begins(Begins::Library) > 0, 28), (is_packaged(files) && !program && !server, 20)]),
        ),
        (ProjectKind::Infrastructure, signs(&[(machines > 0, 15), (machines > programs, 60)])),
        (ProjectKind::Documentation, signs(&[(documents > 4 * programs.max(1), 25)])),
    ];
    // A sort that keeps the order of equals, which is the order of this list.
    scored.sort_by_key(|(_, score)| std::cmp::Reverse(*score));
    scored.into_iter().filter(|(_, score)| *score >= LEAST).map(|(kind, _)| kind).collect()
}

/// Fewer signs say nothing.
const LEAST: u32 = 15;

/// Whether a manifest at the top, or the mark of a Python module, makes a package of it.
fn is_packaged(files: &[Tracked]) -> bool {
    let modules = files.iter().any(|file| file.name() == "__init__.py" && file.depth() <= 2 && !is_aside(&file.path));
    modules
        || files.iter().filter(|file| file.depth() == 0).any(|file| {
            matches!(
                file.name(),
                "pyproject.toml" | "setup.py" | "go.mod" | "composer.json" | "pom.xml" | "build.gradle" | "mix.exs"
            ) || matches!(file.extension(), Some("gemspec" | "cabal" | "nimble"))
        })
}
