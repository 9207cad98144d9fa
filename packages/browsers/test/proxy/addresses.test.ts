import { describe, expect, test } from "vitest";
import { parseAddress, nonGlobalReason } from "../../src/proxy/addresses.ts";
import { HostList } from "../../src/proxy/host-list.ts";
import { parseAuthority } from "../../src/proxy/authority.ts";
import { localNetworks, LocalAddresses } from "../../src/proxy/local-addresses.ts";

const global = "global";

/** What an address is, as a sentence of a refusal would say it. */
const addresses: readonly (readonly [address: string, is: string])[] = [
  ["8.8.8.8", global],
  ["1.1.1.1", global],
  ["93.184.216.34", global],
  ["100.63.255.255", global],
  ["100.128.0.0", global],
  ["172.15.255.255", global],
  ["172.32.0.0", global],
  ["192.167.255.255", global],
  ["192.0.1.1", global],
  ["198.17.255.255", global],
  ["223.255.255.255", global],
  ["0.0.0.0", "the unspecified address"],
  ["0.1.2.3", "the unspecified address"],
  ["10.0.0.1", "a private address"],
  ["10.255.255.255", "a private address"],
  ["172.16.0.1", "a private address"],
  ["172.31.255.255", "a private address"],
  ["192.168.1.1", "a private address"],
  ["127.0.0.1", "a loopback address"],
  ["127.255.255.254", "a loopback address"],
  ["169.254.169.254", "a link-local address"],
  ["169.254.170.2", "a link-local address"],
  ["100.64.0.1", "a carrier-grade NAT address"],
  ["100.100.100.200", "a carrier-grade NAT address"],
  ["100.127.255.255", "a carrier-grade NAT address"],
  ["168.63.129.16", "a cloud metadata address"],
  ["192.0.0.1", "a reserved address"],
  ["192.0.0.192", "a reserved address"],
  ["192.0.2.1", "a reserved address"],
  ["192.88.99.1", "a reserved address"],
  ["198.18.0.1", "a reserved address"],
  ["198.19.255.255", "a reserved address"],
  ["198.51.100.7", "a reserved address"],
  ["203.0.113.7", "a reserved address"],
  ["224.0.0.251", "a multicast address"],
  ["239.255.255.250", "a multicast address"],
  ["240.0.0.1", "a reserved address"],
  ["255.255.255.255", "a broadcast address"],
  ["2606:4700:4700::1111", global],
  ["2a00:1450:4001:81b::200e", global],
  ["2001:4860:4860::8888", global],
  ["::ffff:8.8.8.8", global],
  ["64:ff9b::808:808", global],
  ["::", "the unspecified address"],
  ["::1", "a loopback address"],
  ["::ffff:127.0.0.1", "a loopback address"],
  ["::ffff:7f00:1", "a loopback address"],
  ["0:0:0:0:0:ffff:a9fe:a9fe", "a link-local address"],
  ["::ffff:10.1.2.3", "a private address"],
  ["::127.0.0.1", "a loopback address embedded in IPv6"],
  ["::a00:1", "a private address embedded in IPv6"],
  ["::8.8.8.8", "not a routable address"],
  ["::ffff:0:127.0.0.1", "a reserved address"],
  ["64:ff9b::7f00:1", "a loopback address embedded in IPv6"],
  ["64:ff9b::169.254.169.254", "a link-local address embedded in IPv6"],
  ["64:ff9b:1::808:808", "a reserved address"],
  ["2002:7f00:1::", "a reserved address"],
  ["2002:808:808::1", "a reserved address"],
  ["2001::53aa:64c:0:7f:f5ff:fffe", "a reserved address"],
  ["2a00:1450::5efe:127.0.0.1", "a loopback address embedded in IPv6"],
  ["2a00:1450::200:5efe:10.0.0.1", "a private address embedded in IPv6"],
  ["fe80::1", "a link-local address"],
  ["febf::1", "a link-local address"],
  ["fec0::1", "a site-local address"],
  ["fc00::1", "a unique local address"],
  ["fd00:ec2::254", "a unique local address"],
  ["fd20:ce::254", "a unique local address"],
  ["ff02::fb", "a multicast address"],
  ["ff0e::1", "a multicast address"],
  ["100::1", "a reserved address"],
  ["2001:2::1", "a benchmarking address"],
  ["2001:10::1", "a reserved address"],
  ["2001:20::1", "a reserved address"],
  ["2001:1::1", "a reserved address"],
  ["2001:db8::1", "a reserved address"],
  ["3fff::1", "a reserved address"],
  ["5f00::1", "a reserved address"],
  ["4000::1", "not a routable address"],
  ["e000::1", "not a routable address"],
];

test.each(addresses)("%s is %s", (text, is) => {
  const address = parseAddress(text);
  expect(address && (nonGlobalReason(address) ?? global)).toBe(is);
});

describe("a host and a port", () => {
  test.each([
    ["example.com", "example.com:80"],
    ["EXAMPLE.com.:8080", "example.com:8080"],
    ["a_b.example", "a_b.example:80"],
    ["xn--bcher-kva.example", "xn--bcher-kva.example:80"],
    ["1.example", "1.example:80"],
    ["localhost:1", "localhost:1"],
    ["8.8.8.8:443", "8.8.8.8:443"],
    ["[2606:4700::1]:443", "[2606:4700::1]:443"],
    ["[::1]", "[::1]:80"],
  ])("are read from %s", (text, expected) => {
    const { host, port } = parseAuthority(text, 80) ?? {};
    expect(`${host}:${port}`).toBe(expected);
  });

  test.each([
    ["nothing", ""],
    ["a hexadecimal part", "0x7f.1"],
    ["a hexadecimal number", "0x7f000001"],
    ["one number", "2130706433"],
    ["octal", "0177.0.0.1"],
    ["two parts", "127.1"],
    ["a dot after an address", "127.0.0.1."],
    ["a dot after a short address", "127.1."],
    ["five parts", "1.2.3.4.5"],
    ["an empty hexadecimal number", "foo.0x"],
    ["wide digits", "１２７.0.0.1"],
    ["a round dot", "127。0。0。1"],
    ["a zone", "[fe80::1%eth0]"],
    ["an encoded zone", "[fe80::1%25eth0]"],
    ["IPv4 in brackets", "[127.0.0.1]"],
    ["IPv6 without brackets", "::1"],
    ["a user", "user@example.com"],
    ["a user with a password", "user:1@127.0.0.1:80"],
    ["a backslash", "example.com\\@127.0.0.1"],
    ["an encoded dot", "127%2e0.0.1"],
    ["two ports", "example.com:80:80"],
    ["port 0", "example.com:0"],
    ["port 65536", "example.com:65536"],
    ["a port with a sign", "example.com:+80"],
    ["an empty label", "a..example"],
    ["two dots at the end", "localhost.."],
    ["a blank", "exam ple"],
    ["a null byte", "example.com\0.evil.example"],
    ["a label of 64", `${"a".repeat(64)}.example`],
    ["a name of 254", `${"a.".repeat(126)}aa`],
  ])("are not read from %s", (_name, text) => {
    expect(parseAuthority(text, 80)).toBeUndefined();
  });

  test("need a port where nothing says which", () => expect(parseAuthority("example.com", undefined)).toBeUndefined());
});

describe("an operator's list", () => {
  const rows: readonly (readonly [entry: string, asked: string, allowed: boolean])[] = [
    ["127.0.0.1:8123", "127.0.0.1:8123", true],
    ["127.0.0.1:8123", "127.0.0.1:8124", false],
    ["127.0.0.1:8123", "127.0.0.2:8123", false],
    ["127.0.0.1:8123", "[::ffff:127.0.0.1]:8123", true],
    ["::ffff:127.0.0.1", "127.0.0.1:5", true],
    ["127.0.0.1", "127.0.0.1:1", true],
    ["10.0.0.0/8", "10.255.0.1:80", true],
    ["10.0.0.0/8", "11.0.0.1:80", false],
    ["10.0.0.0/8", "[::1]:80", false],
    ["10.0.0.0/8:443", "10.1.1.1:443", true],
    ["10.0.0.0/8:443", "10.1.1.1:80", false],
    ["::1", "[::1]:80", true],
    ["::1", "127.0.0.1:80", false],
    ["[::1]", "[::1]:80", true],
    ["[::1]:80", "[::1]:80", true],
    ["[::1]:80", "[::1]:81", false],
    ["fd00::/8", "[fd12::1]:80", true],
    ["fd00::/8", "[fe80::1]:80", false],
    ["[fd00::/8]:80", "[fd12::1]:80", true],
    ["[fd00::/8]:80", "[fd12::1]:81", false],
    ["0.0.0.0/0", "127.0.0.1:1", true],
    ["localhost", "localhost:80", true],
    ["localhost", "LOCALHOST.:80", true],
    ["localhost", "a.localhost:80", false],
    ["localhost", "127.0.0.1:80", false],
    ["Intranet.example:8080", "intranet.example:8080", true],
    ["intranet.example:8080", "intranet.example:80", false],
    ["*.example", "a.b.example:1", true],
    ["*.example", "example:1", false],
    ["*.example", "badexample:1", false],
    ["*.example:80", "a.example:81", false],
    ["bücher.example", "xn--bcher-kva.example:80", true],
  ];
  test.each(rows)("with %s allows %s: %s", (entry, requested, allowed) => {
    const list = new HostList([entry]);
    const authority = parseAuthority(requested, undefined);
    expect(authority).toBeDefined();
    if (authority === undefined) return;
    const { address, host, port } = authority;
    expect(address === undefined ? list.hasName(host, port) : list.hasAddress(address, port)).toBe(allowed);
  });

  test.each([
    ["", "give a host name"],
    ["*", "0.0.0.0/0 and ::/0"],
    ["http://localhost:80", "leave out the scheme"],
    [" localhost", "leave out the spaces"],
    ["localhost:0", "1 to 65535"],
    ["localhost:65536", "1 to 65535"],
    ["localhost:", "give a host name"],
    ["localhost:http", "give a host name"],
    ["10.1.2.3/8", "begins with 10.0.0.0/8"],
    ["fd12::/8", "begins with fd00::/8"],
    ["10.0.0.0/33", "give a host name"],
    ["10.0.0.0/", "give a host name"],
    ["10.0/8", "give a host name"],
    ["::ffff:10.0.0.0/104", "give a host name"],
    ["127.1", "give a host name"],
    ["2130706433", "give a host name"],
    ["0x7f.0.0.1", "give a host name"],
    ["fe80::1%eth0", "give a host name"],
    ["[127.0.0.1]:80", "give a host name"],
    ["[::1", "give a host name"],
    ["a.*.example", "give a host name"],
    ["*.*.example", "give a host name"],
    ["*.0.0.1", "give a host name"],
    ["localhost/x", "give a host name"],
    ["user@localhost", "give a host name"],
  ])('does not read "%s", and says what to do', (entry, hint) => {
    expect(() => new HostList(["localhost", entry])).toThrow(expect.objectContaining({ code: "usage" }));
    expect(() => new HostList([entry])).toThrow(`"${entry}"`);
    expect(() => new HostList([entry])).toThrow(hint);
  });
});

describe("this machine", () => {
  const machine = new LocalAddresses(() => [
    { address: "203.0.113.9", bits: 24 },
    { address: "2a00:1450:1:2::9", bits: 64 },
    { address: "2a00:9999::1", bits: 48 },
    { address: "fe80::1%eth0", bits: 64 },
    { address: "2a00:7777::1", bits: null },
  ]);
  test.each([
    ["127.9.9.9", true, true],
    ["0.0.0.0", true, true],
    ["::1", true, true],
    ["203.0.113.9", true, true],
    ["::ffff:203.0.113.9", true, true],
    ["203.0.113.10", false, false],
    ["2a00:1450:1:2::9", true, true],
    ["2a00:1450:1:2::10", false, true],
    ["2a00:1450:1:3::9", false, false],
    ["2a00:9999::1", true, true],
    ["2a00:9999::2", false, false],
    ["2a00:7777::1", true, true],
    ["2a00:7777::2", false, false],
  ])("%s: is it %s, is it near %s", (text, has, near) => {
    const address = parseAddress(text);
    expect(address && [machine.has(address), machine.isLocalOrNeighbor(address)]).toEqual([has, near]);
  });

  test("has the loopback among its networks", () => {
    expect(localNetworks()).toContainEqual({ address: "127.0.0.1", bits: 8 });
  });
});
