// The rules of `make lint` for the page's JavaScript, the notebook's board and these tools; types are tsconfig.json's.
import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["**/vendor/"] },
  js.configs.recommended,
  {
    languageOptions: { globals: globals.browser },
    rules: {
      "eqeqeq": "error",
      "max-len": ["error", { code: 120 }],
      "no-implicit-globals": "error",
      "no-shadow": ["error", { builtinGlobals: false }],
      "no-unused-expressions": ["error", { allowShortCircuit: true, allowTaggedTemplates: true }],
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
  { files: ["**/sw.js"], languageOptions: { globals: globals.serviceworker } },
  { files: ["**/widget.js"], languageOptions: { globals: { STYLE: "readonly", SIGNS: "readonly" } } },
];
