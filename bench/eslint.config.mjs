import js from "@eslint/js";
import globals from "globals";

const everything = { ...globals.browser, ...globals.node };

export default [
  { ...js.configs.recommended, languageOptions: { sourceType: "script", ecmaVersion: "latest", globals: everything } },
];
