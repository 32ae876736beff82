/**
 * Records what Java makes of random scripts, which `java-outcomes.test.ts` holds ours to: a line each, the
 * kind of the result and the result, or the exception and its message. Wants a JDK from 17 on.
 *
 *   npm run script:oracle
 *   npm run script:oracle -- SEED   holds ours to Java for scripts of another seed, and records nothing
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type JavaScript,
  javaScripts,
  painlessSource,
  SCRIPT_COUNT,
  SCRIPT_SEED,
} from '../../support/java/java-scripts.ts'
import { OUTCOMES_FILE, ofAnyJdk, ourOutcome, sourcesHash } from './java-outcomes.ts'

/** Methods of one class, whose constants are bounded. */
const SCRIPTS_PER_CLASS = 50

const RUNNER = `
  interface Script { Object run(); }
  static void print(Script script) {
    String line;
    try {
      Object value = script.run();
      if (value instanceof Double)
        line = "double " + Long.toHexString(Double.doubleToLongBits((Double) value));
      else line = value.getClass().getSimpleName().toLowerCase() + " " + value;
    } catch (Throwable error) {
      line = "throws " + error.getClass().getName() + " " + error.getMessage();
    }
    StringBuilder plain = new StringBuilder();
    for (char unit : line.toCharArray())
      if (unit >= ' ' && unit < 127 && unit != '\\\\') plain.append(unit);
      else plain.append(String.format("\\\\u%04x", (int) unit));
    System.out.println(plain);
  }
`

const seed = Number(process.argv[2] ?? SCRIPT_SEED)
const scripts = javaScripts(seed, SCRIPT_COUNT)
const folder = mkdtempSync(join(tmpdir(), 'script-oracle-'))
try {
  const files: string[] = []
  const runs: string[] = []
  for (let at = 0; at < scripts.length; at += SCRIPTS_PER_CLASS) {
    const name = `Scripts${at}`
    const classes = scripts.slice(at, at + SCRIPTS_PER_CLASS).map((each, i) => classOf(each, i))
    files.push(join(folder, `${name}.java`))
    writeFileSync(files.at(-1)!, `import java.util.*;\nclass ${name} {\n${classes.join('\n')}\n}\n`)
    for (const i of classes.keys()) runs.push(`print(() -> ${name}.S${i}.run());`)
  }
  files.push(join(folder, 'Main.java'))
  const methods = runs.map((run, i) => `static void run${i}() { ${run} }`)
  const calls = Array.from({ length: Math.ceil(runs.length / 500) }, (_, n) => {
    const some = Array.from(runs.keys()).slice(n * 500, (n + 1) * 500)
    return `static void all${n}() { ${some.map(i => `run${i}();`).join(' ')} }`
  })
  const all = calls.map((_, n) => `all${n}();`).join(' ')
  writeFileSync(
    files.at(-1)!,
    `class Main {\n${RUNNER}\n${methods.join('\n')}\n${calls.join('\n')}\npublic static void main(String[] a) { ${all} }\n}\n`,
  )
  execFileSync('javac', ['-nowarn', '-Xlint:none', '-encoding', 'UTF-8', '-d', folder, ...files], {
    stdio: 'inherit',
  })
  const printed = execFileSync('java', ['-cp', folder, 'Main'], { encoding: 'utf8' })
  if (seed === SCRIPT_SEED) writeFileSync(OUTCOMES_FILE, `${sourcesHash(scripts)}\n${printed}`)
  else process.exitCode = countDifferences(printed.trimEnd().split('\n')) === 0 ? 0 : 1
  console.log(`${scripts.length} scripts of seed ${seed}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Prints the scripts that end otherwise than in Java, and how many they are. */
function countDifferences(outcomes: readonly string[]): number {
  if (outcomes.length !== scripts.length) throw new Error(`${outcomes.length} outcomes`)
  let count = 0
  for (const [i, script] of scripts.entries()) {
    const [ours, javas] = [ofAnyJdk(ourOutcome(script)), ofAnyJdk(outcomes[i]!)]
    if (ours === javas) continue
    count++
    console.log(`script ${i}: ${ours}, in Java ${javas}:\n${painlessSource(script)}\n`)
  }
  console.log(`${count} of ${scripts.length} end otherwise than in Java`)
  return count
}

/** A class with the functions of a script, and its body as a method. */
function classOf({ functions, body }: JavaScript, number: number): string {
  const methods = functions.map(each => `static ${each}`)
  return `static class S${number} {\n${methods.join('\n')}\nstatic Object run() {\n${body}\n}\n}`
}
