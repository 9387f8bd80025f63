import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const CI_SERVICES = ["github", "gitlab", "none"] as const;
export type CiService = (typeof CI_SERVICES)[number];

/** The service that a project shows signs of. */
export function ciServiceOf(root: string): CiService {
  if (existsSync(join(root, ".github"))) return "github";
  const remotes = existsSync(join(root, ".git", "config"))
    ? readFileSync(join(root, ".git", "config"), "utf8")
    : "";
  if (/url = .*github\.com/.test(remotes)) return "github";
  return /url = .*gitlab/.test(remotes) ? "gitlab" : "none";
}

/** The file of each service, by its path in the project. */
export const CI_FILES: Readonly<
  Record<Exclude<CiService, "none">, { readonly path: string; readonly text: string }>
> = {
  github: {
    path: ".github/workflows/assay.yml",
    text: `name: skills
on: pull_request
jobs:
  assay:
    runs-on: ubuntu-latest
    env:
      ANTHROPIC_API_KEY: \${{ secrets.ANTHROPIC_API_KEY }}
    steps:
      - uses: actions/checkout@v4
        with: { fetch-depth: 0 } # --changed needs the history
      - uses: actions/setup-node@v4
        with: { node-version: 22 }
      - run: npm install -g assay @anthropic-ai/claude-code
      - run: assay check . --strict
      - run: assay doctor .
      - run: assay run . --changed origin/main --reporter terminal,junit=assay.xml
      - uses: actions/upload-artifact@v4
        if: always()
        with: { name: assay, path: "assay.xml\\n.assay" }
`,
  },
  gitlab: {
    path: ".gitlab-ci.yml",
    text: `assay:
  image: node:22
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  variables:
    GIT_DEPTH: 0 # --changed needs the history
  script:
    - npm install -g assay @anthropic-ai/claude-code
    - assay check . --strict
    - assay doctor .
    - assay run . --changed "origin/$CI_MERGE_REQUEST_TARGET_BRANCH_NAME" --reporter terminal,junit=assay.xml
  artifacts:
    when: always
    paths: [assay.xml, .assay]
    reports:
      junit: assay.xml
`,
  },
};
