import { render } from "preact";
import { listen } from "./keys.ts";
import { follow } from "./router.ts";
import { Shell } from "./shell.tsx";

const root = document.querySelector("#app");
if (root !== null) {
  follow();
  listen();
  render(<Shell />, root);
}
