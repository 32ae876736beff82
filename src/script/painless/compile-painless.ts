import type { ScriptContext } from '../context/script-context.ts'
import { DOC_CLASSES } from '../doc/doc-classes.ts'
import { compileError, runtimeError } from '../script-exception.ts'
import { ScriptFault } from '../script-fault.ts'
import type { ScriptRun } from '../script-run.ts'
import { ClassTable } from './class-table.ts'
import { RETURN, type Run } from './compile/code.ts'
import { Execution, Frame, located } from './compile/frame.ts'
import { type CompiledProgram, compileProgram } from './compile/program.ts'
import { CompileFault } from './compile-fault.ts'
import type { ClassType, Typed } from './library/class-type.ts'
import { CLASSES } from './library/classes.ts'
import { ExplainFault } from './library/debug-class.ts'
import type { PainlessSettings } from './painless-settings.ts'
import { parsePainless } from './parser.ts'

/** A source that is ready to run, on the thread that compiled it. */
export interface PainlessScript {
  /**
   * Names of the context's variables that it reads, and `doc['⟨field⟩']` for fields that it names: `doc`
   * itself is there where it may read fields that it does not name.
   */
  readonly uses: ReadonlySet<string>
  /**
   * Runs it once.
   * @param variables in the order of the context, in the form of their types; read during the call alone
   * @returns in the form of the context's result: of `def` a value, of `void` null
   * @throws {EngineError} `script_exception`, and past a limit `circuit_breaking_exception`
   */
  execute(variables: readonly Typed[], run: ScriptRun): Typed
}

const NO_CLASSES: readonly ClassType[] = []

/** Tables of the allow-list with the classes of a context beside it, made when first used. */
const TABLES = new WeakMap<readonly ClassType[], ClassTable>()

function tableFor(classes: readonly ClassType[]): ClassTable {
  let table = TABLES.get(classes)
  if (table === undefined) {
    table = new ClassTable([...CLASSES, ...DOC_CLASSES, ...classes])
    TABLES.set(classes, table)
  }
  return table
}

/**
 * Compiles a source for a context.
 * @param name the id of a stored script, by which errors name it in place of its source
 * @throws {EngineError} `script_exception`
 */
export function compilePainless(
  source: string,
  context: Pick<ScriptContext, 'variables' | 'returns'>,
  settings: PainlessSettings,
  name: string | null = null,
): PainlessScript {
  const classes = tableFor(settings.classes ?? NO_CLASSES)
  try {
    const program = compileProgram(classes, parsePainless(source), context, settings)
    return new Compiled(source, name, program)
  } catch (error) {
    const fault = located(error, 0)
    const record =
      fault instanceof CompileFault
        ? fault.record
        : fault instanceof ScriptFault
          ? { type: fault.type, reason: fault.message }
          : null
    if (record === null) throw error
    const { offset } = fault as CompileFault | ScriptFault
    throw compileError({
      lang: 'painless',
      source,
      offset,
      cause: record,
      ...(name !== null && { name }),
    })
  }
}

class Compiled implements PainlessScript {
  readonly uses: ReadonlySet<string>
  readonly #source: string
  readonly #name: string | null
  readonly #program: CompiledProgram
  /** Serves execution after execution, as long as one does not begin within another. */
  readonly #value: Run | null
  readonly #frame: Frame
  #isBusy = false

  constructor(source: string, name: string | null, program: CompiledProgram) {
    this.#source = source
    this.#name = name
    this.#program = program
    this.#value = program.value
    this.#frame = new Frame(new Execution(), program.size)
    this.uses = program.uses
  }

  execute(variables: readonly Typed[], run: ScriptRun): Typed {
    if (this.#isBusy) return this.#within(variables, run)
    this.#isBusy = true
    const frame = this.#frame
    frame.begin(variables, run)
    const value = this.#value
    try {
      return value === null ? this.#run(frame) : value(frame)
    } catch (error) {
      throw this.#failure(error)
    } finally {
      this.#isBusy = false
    }
  }

  #run(frame: Frame): Typed {
    const { step, missing } = this.#program
    return step(frame) === RETURN ? frame.result : missing
  }

  /** An execution that begins within another of the same script. */
  #within(variables: readonly Typed[], run: ScriptRun): Typed {
    const frame = new Frame(new Execution(), this.#program.size)
    frame.begin(variables, run)
    try {
      return this.#run(frame)
    } catch (error) {
      throw this.#failure(error)
    }
  }

  #failure(error: unknown): unknown {
    const fault = located(error, -1)
    if (!(fault instanceof ScriptFault)) return fault
    return runtimeError(
      {
        lang: 'painless',
        source: this.#source,
        offset: fault.offset,
        cause: { type: fault.type, reason: fault.message },
        ...(fault instanceof ExplainFault && { extra: fault.extra }),
        ...(this.#name !== null && { name: this.#name }),
      },
      this.#program.statements,
    )
  }
}
