import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, EngineChild, type Resident } from './child-process.ts'
import { documentsFor, type EnginePlan } from './engines.ts'
import type { Line } from './lines.ts'
import type { PreparedCorpus } from './prepared-corpus.ts'
import type { Answers, Built, Hello, Round } from './protocol.ts'

/** What an engine is like before any query is timed. */
export interface EngineFacts {
  readonly hello: Hello
  readonly built: Built
  /** The same by two threads, in a process of its own; null where an engine has one. */
  readonly builtByTwo: Built | null
  /** From the start of a process to its first result, the least of a few; null: no index to open. */
  readonly coldStartInNanos: number | null
  /** Resident bytes when opened, before the first search. */
  readonly resident: Resident | null
}

/** What a run is made with. */
export interface EngineSetting {
  readonly corpus: PreparedCorpus
  /** A folder of the run's own for indexes. */
  readonly folder: string
  /** Kept from run to run. */
  readonly cache: string
  /** A query for the first result of a process. */
  readonly firstQuery: string
  readonly buildLimitInMillis: number
}

const COLD_STARTS = 3
/** A start that takes longer is measured once. */
const LONG_START_IN_MILLIS = 3000
const OPEN_LIMIT = 120_000
/** Segments of the index for an engine whose slices are whole segments. */
const SEGMENTS_FOR_SLICES = 8

/** An engine with its index built and its process waiting for queries. */
export class RunningEngine {
  readonly plan: EnginePlan
  readonly facts: EngineFacts
  readonly #main: EngineChild
  readonly #fetching: EngineChild

  private constructor(
    plan: EnginePlan,
    facts: EngineFacts,
    main: EngineChild,
    fetching: EngineChild,
  ) {
    this.plan = plan
    this.facts = facts
    this.#main = main
    this.#fetching = fetching
  }

  /**
   * Builds an index and opens it.
   * @throws {Error} what the engine died of, or why it cannot run here
   */
  static async start(plan: EnginePlan, setting: EngineSetting): Promise<RunningEngine> {
    const command = plan.command(setting.cache)
    const folder = join(setting.folder, plan.name)
    mkdirSync(folder, { recursive: true })
    const builder = new EngineChild(command)
    try {
      const hello = await builder.hello
      const built = await build(builder, plan, setting, folder, 1, 1)
      if (built.bytes === null) {
        await builder.ask(['open', folder], OPEN_LIMIT)
        const resident = builder.resident()
        const facts = { hello, built, builtByTwo: null, coldStartInNanos: null, resident }
        return new RunningEngine(plan, facts, builder, builder)
      }
      const open: [string, ...string[]] = ['open', folder]
      if (!plan.cutsSegments) {
        const sliced = join(setting.folder, `${plan.name}-slices`)
        mkdirSync(sliced, { recursive: true })
        await build(builder, plan, setting, sliced, SEGMENTS_FOR_SLICES, 1)
        open.push(sliced)
      }
      await builder.quit()
      const builtByTwo = plan.buildsByThreads ? await buildByTwo(plan, setting, command) : null
      const coldStartInNanos = await coldStart(command, folder, setting.firstQuery)
      const main = await opened(command, open)
      const resident = main.resident()
      const fetching = await fetchingChild(plan, main, folder)
      const facts = { hello, built, builtByTwo, coldStartInNanos, resident }
      return new RunningEngine(plan, facts, main, fetching)
    } catch (error) {
      await builder.quit()
      throw error
    }
  }

  get isAlive(): boolean {
    return this.#main.isAlive && this.#fetching.isAlive
  }

  /** Each query once; stops after so long. */
  answers(line: Line, limitInMillis: number): Promise<Answers> {
    const { mode, slices, texts } = line
    return this.#child(line).ask(
      ['answers', mode, slices, limitInMillis, ...texts],
      4 * limitInMillis,
    )
  }

  /** Passes over the queries for at least so long. */
  round(line: Line, millis: number, limitInMillis: number): Promise<Round> {
    const { mode, slices, texts } = line
    return this.#child(line).ask(['round', mode, slices, millis, ...texts], limitInMillis)
  }

  /** Has the engine write its terms and their counts to a file. */
  writeTerms(file: string): Promise<{ readonly terms: number }> {
    return this.#main.ask(['terms', file], OPEN_LIMIT)
  }

  resident(): Resident | null {
    return this.#main.resident()
  }

  async quit(): Promise<void> {
    await this.#main.quit()
    await this.#fetching.quit()
  }

  #child(line: Line): EngineChild {
    return line.mode === 'fetch' || line.mode === 'highlighted' ? this.#fetching : this.#main
  }
}

function build(
  child: EngineChild,
  plan: EnginePlan,
  { corpus, buildLimitInMillis }: EngineSetting,
  folder: string,
  segments: number,
  threads: number,
): Promise<Built> {
  const documents = documentsFor(plan, corpus)
  return child.ask(['build', documents, folder, segments, threads], buildLimitInMillis)
}

/** Like the first index of all, that of two threads is made in a fresh process. */
async function buildByTwo(
  plan: EnginePlan,
  setting: EngineSetting,
  command: Command,
): Promise<Built> {
  const folder = join(setting.folder, `${plan.name}-two`)
  mkdirSync(folder, { recursive: true })
  const child = new EngineChild(command)
  try {
    await child.hello
    return await build(child, plan, setting, folder, 1, 2)
  } finally {
    await child.quit()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function opened(command: Command, open: readonly string[]): Promise<EngineChild> {
  const child = new EngineChild(command)
  await child.ask(open, OPEN_LIMIT)
  return child
}

/** A process holds its folder alone, so another one gets a copy. */
async function fetchingChild(
  plan: EnginePlan,
  main: EngineChild,
  folder: string,
): Promise<EngineChild> {
  if (plan.fetchCommand === null) return main
  const copy = `${folder}-fetch`
  cpSync(folder, copy, { recursive: true, filter: path => !path.endsWith('.lock') })
  return opened(plan.fetchCommand(), ['open', copy])
}

/** The files are in the system's cache by then: this is the cost of the program, not of the disk. */
async function coldStart(command: Command, folder: string, query: string): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < COLD_STARTS && !(least > LONG_START_IN_MILLIS && i > 0); i++) {
    const start = performance.now()
    const child = await opened(command, ['open', folder])
    await child.ask(['answers', 'top', 1, OPEN_LIMIT, query], OPEN_LIMIT)
    least = Math.min(least, performance.now() - start)
    await child.quit()
  }
  return Math.round(least * 1e6)
}
