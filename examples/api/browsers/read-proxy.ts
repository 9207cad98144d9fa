import { readProxy } from "@cloud-browser/browsers";

const { protocol, host } = readProxy({ server: "socks5://proxy.example:1080", dns: "proxy" });
console.log(protocol, host); // socks5 proxy.example
