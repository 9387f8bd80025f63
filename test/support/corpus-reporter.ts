import type { Reporter, TestModule } from "vitest/node";

/** Says at the end how many suites were skipped for want of the corpus, so that nobody takes them for passed. */
export class CorpusReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const suites = modules.flatMap((module) => [...module.children.allSuites()]);
    const skipped = suites.filter(({ name }) => name.includes("(corpus not found: "));
    if (skipped.length === 0) return;
    console.log(
      `corpus not found: ${skipped.length} suites skipped (they need ../shared beside the project)`,
    );
  }
}
