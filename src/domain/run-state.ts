/** `paused` starts nothing new until it is resumed; `stopping` starts nothing new at all. What has begun comes to its end. */
export type RunState = "running" | "paused" | "stopping";
