// node warm.mjs RUNS FOLDER…: one process, the three linters through their own APIs, every file of each folder.
// Prints one JSON object a folder: processor milliseconds (median over RUNS, after one unmeasured run).

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ESLint } from "eslint";
import { FileSystemConfigLoader, HtmlValidate } from "html-validate";
import stylelint from "stylelint";

const here = path.dirname(fileURLToPath(import.meta.url));
const [runs, ...folders] = process.argv.slice(2);

const eslint = new ESLint({ cwd: process.cwd(), overrideConfigFile: path.join(here, "eslint.config.mjs") });
const htmlConfig = JSON.parse(await readFile(path.join(here, "html-validate.json"), "utf8"));
const htmlValidate = new HtmlValidate(new FileSystemConfigLoader(htmlConfig));
const stylelintConfig = path.join(here, "stylelint.config.mjs");

const linters = {
  ".js": { name: "eslint", run: (text, file) => eslint.lintText(text, { filePath: file }) },
  ".css": { name: "stylelint", run: (code, file) => stylelint.lint({ code, codeFilename: file, configFile: stylelintConfig }) },
  ".html": { name: "html-validate", run: (text, file) => htmlValidate.validateString(text, file) },
};

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

for (const folder of folders) {
  const files = [];
  for (const entry of await readdir(folder, { recursive: true })) {
    const linter = linters[path.extname(entry)];
    if (linter) files.push({ linter, file: path.join(folder, entry), text: await readFile(path.join(folder, entry), "utf8") });
  }
  const totals = [];
  for (let run = 0; run <= Number(runs); run += 1) {
    const before = process.cpuUsage();
    for (const { linter, file, text } of files) await linter.run(text, file);
    const spent = process.cpuUsage(before);
    if (run > 0) totals.push((spent.user + spent.system) / 1000);
  }
  console.log(JSON.stringify({ folder, cpu_ms: median(totals) }));
}
