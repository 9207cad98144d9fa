# One worker from the files of the temporary consumer; paths are relative to this file.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "loopback", network = (allow = ["private"])),
  ],
);

const worker :Workerd.Worker = (
  modules = [
    (name = "workerd.mjs", esModule = embed "workerd.mjs"),
    (name = "cases.mjs", esModule = embed "cases.mjs"),
    (name = "@cloud-browser/stream", esModule = embed "node_modules/@cloud-browser/stream/dist/index.js"),
  ],
  bindings = [
    (name = "ORIGIN", fromEnvironment = "ORIGIN"),
    (name = "CASES", json = embed "sse-cases.json"),
  ],
  globalOutbound = "loopback",
  compatibilityDate = "2026-11-17",
);
