/** The recorded outcomes of random scripts in Java, and ours in their form. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toDouble } from '../../../src/script/value/java-numbers.ts'
import { classNameOf, type ScriptValue } from '../../../src/script/value/script-value.ts'
import { textOfValue } from '../../../src/script/value/value-text.ts'
import { EngineError } from '../../../src/util/errors.ts'
import { doubleText } from '../../../src/util/json/float-text.ts'
import { type JavaScript, painlessSource } from '../../support/java/java-scripts.ts'
import { freeRun, run } from './run-script.ts'

/** A hash of the sources, then an outcome a line. */
export const OUTCOMES_FILE: string = join(import.meta.dirname, 'java-outcomes.txt')

/** Tells whether outcomes belong to scripts. */
export function sourcesHash(scripts: readonly JavaScript[]): string {
  const hash = createHash('sha256')
  for (const each of scripts) hash.update(painlessSource(each)).update('\0')
  return hash.digest('hex').slice(0, 16)
}

/** The outcomes that Java had. */
export function recordedOutcomes(): {
  readonly hash: string
  readonly outcomes: readonly string[]
} {
  const [hash = '', ...outcomes] = readFileSync(OUTCOMES_FILE, 'utf8').trimEnd().split('\n')
  return { hash, outcomes }
}

/**
 * An outcome as any JDK from 17 on has it. Before 19 some doubles print with more digits than they need
 * (JDK-4511638), and texts word an index otherwise.
 */
export function ofAnyJdk(outcome: string): string {
  return outcome
    .replace(/String index out of range: (-?\d+)$/, 'Index $1')
    .replace(/(StringIndexOutOfBoundsException Index -?\d+) out of bounds for length \d+$/, '$1')
    .replace(/-?\d\.\d{15,}(?:E-?\d+)?/g, digits => doubleText(Number(digits)))
}

/** Java's names of the exceptions that scripts throw. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  arithmetic_exception: 'java.lang.ArithmeticException',
  illegal_argument_exception: 'java.lang.IllegalArgumentException',
  index_out_of_bounds_exception: 'java.lang.IndexOutOfBoundsException',
  number_format_exception: 'java.lang.NumberFormatException',
  string_index_out_of_bounds_exception: 'java.lang.StringIndexOutOfBoundsException',
}

/** What we make of a script, as the recording prints it. */
export function ourOutcome(script: JavaScript): string {
  try {
    return printable(print(run(painlessSource(script)) as ScriptValue))
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const { type, reason } = error.record.causedBy ?? error.record
    return printable(`throws ${EXCEPTIONS[type] ?? type} ${reason}`)
  }
}

function print(value: ScriptValue): string {
  const name = value === null ? 'null' : classNameOf(value).split('.').at(-1)!
  if (name !== 'Double') return `${name.toLowerCase()} ${textOfValue(value, freeRun())}`
  const bits = new DataView(new ArrayBuffer(8))
  const number = toDouble(value)!
  // Bits of what is no number differ by how it came to be; Java prints one form of them.
  if (Number.isNaN(number)) return 'double 7ff8000000000000'
  bits.setFloat64(0, number)
  return `double ${bits.getBigUint64(0).toString(16)}`
}

function printable(text: string): string {
  return text.replace(
    /[^ -[\]-~]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
