// Runs in node before a submission's tool. Every Chromium that the tool launches is the one that was found, with its
// sandbox unless root runs it; whatever the tool connects to is on this machine.
"use strict";
const net = require("node:net");
const { chromium, firefox, webkit } = require("playwright-core");

const executablePath = process.env.HUSKY_LINT_TOOL_CHROMIUM;
const isRoot = process.getuid?.() === 0;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|::1|0\.0\.0\.0|::|)$/;
const QUIET = [
  "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-quic",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
];

function settled(options = {}) {
  const given = (options.args ?? []).filter((one) => !/^--(?:no-sandbox|disable-setuid-sandbox)$/.test(one));
  const { channel, ...rest } = options;
  return { ...rest, executablePath, chromiumSandbox: !isRoot, args: [...given, ...QUIET, ...(isRoot ? ["--no-sandbox"] : [])] };
}

const { launch, launchServer, launchPersistentContext } = chromium;
chromium.launch = (options) => launch.call(chromium, settled(options));
chromium.launchServer = (options) => launchServer.call(chromium, settled(options));
chromium.launchPersistentContext = (folder, options) => launchPersistentContext.call(chromium, folder, settled(options));
for (const other of [firefox, webkit]) {
  other.launch = () => Promise.reject(new Error(`husky-lint has no ${other.name()} for tools; the contract says Chromium`));
}

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...given) {
  const first = Array.isArray(given[0]) ? given[0][0] : given[0];
  const options = typeof first === "object" && first !== null ? first : { port: first, host: given[1] };
  if (options.path === undefined && !LOOPBACK.test(typeof options.host === "string" ? options.host : "")) {
    process.nextTick(() => this.destroy(Object.assign(new Error(`connect ENETUNREACH ${options.host}`), { code: "ENETUNREACH" })));
    return this;
  }
  return connect.apply(this, given);
};
