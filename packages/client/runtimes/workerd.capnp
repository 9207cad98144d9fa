# One worker of one bundle from the temporary consumer; paths are relative to this file.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "loopback", network = (allow = ["private"])),
  ],
);

const worker :Workerd.Worker = (
  modules = [(name = "workerd.mjs", esModule = embed "workerd.bundle.mjs")],
  bindings = [(name = "ORIGIN", fromEnvironment = "ORIGIN")],
  globalOutbound = "loopback",
  compatibilityDate = "2026-11-17",
);
