import type { Exporter } from "../exporter.ts";
import { atif } from "./atif.ts";
import { otlp } from "./otlp.ts";
import { pluginEval } from "./plugin-eval.ts";

export const EXPORTERS: readonly Exporter[] = [atif, pluginEval, otlp];
