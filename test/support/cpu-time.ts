/** What this process has computed since `before`; unlike time by the clock, the same on a busy machine. */
export function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
