import { type Comparison, compare, recall } from './agreement.ts'
import { isAsked } from './engines.ts'
import type { Line } from './lines.ts'
import { type Answers, type Round, UnsupportedError } from './protocol.ts'
import type { RunningEngine } from './running-engine.ts'
import { type Figures, figuresOf } from './statistics.ts'

/** One engine's times on one line. Times are nanoseconds. */
export interface Measured {
  readonly line: string
  readonly engine: string
  /** Why there are no times; null where there are. */
  readonly missing: string | null
  /** Each query's least time over the rounds. */
  readonly least: readonly number[]
  /** Of `least`; null without times. */
  readonly figures: Figures | null
  /** Each round's mean over the queries: how steady the machine was. */
  readonly roundMeans: readonly number[]
  /** Processor time against time passed, all threads; above one where threads worked alongside. */
  readonly cpuShare: number | null
  /** Of the exact ten best, for engines that score otherwise. */
  readonly recall: number | null
}

/** How a run measures. */
export interface MeasureOptions {
  readonly rounds: number
  /** How long a round of one line and engine lasts at least. */
  readonly roundInMillis: number
  /** How long an engine is warmed up on a line, in at least three passes. */
  readonly warmInMillis: number
  /** A line's queries once through must not take longer. */
  readonly limitInMillis: number
  readonly say: (line: string) => void
}

/** What measuring gave. */
export interface Measurements {
  readonly measured: readonly Measured[]
  readonly comparison: Comparison
}

const WARM_PASSES = 3
/** All matches score the same here, so there are no ten best that another engine could find. */
const UNSCORED: ReadonlySet<string> = new Set(['prefix', 'range', 'wildcard', 'regexp'])
/** From here on a pass is so slow that its rounds are cut down, and warming it would not pay. */
const SLOW_PASS_IN_NANOS = 2e9
const SLOW_ROUNDS = 2
const VERY_SLOW_PASS_IN_NANOS = 15e9

/** One engine on one line while it is measured. */
interface Track {
  readonly engine: RunningEngine
  readonly line: Line
  readonly answers: Answers | null
  readonly rounds: Round[]
  missing: string | null
}

/**
 * Asks every engine every line's answers, holds them against each other, warms up, and then goes
 * through the lines round after round, the engines taking turns within each: what the machine does
 * beside hits all alike.
 * @param engines Lamella first, where it takes part: others are held against it
 */
export async function measure(
  engines: readonly RunningEngine[],
  lines: readonly Line[],
  options: MeasureOptions,
): Promise<Measurements> {
  const tracks: Track[] = []
  const comparison: Comparison = { differences: [], compared: 0, withHits: 0 }
  const recalls = new Map<Track, number | null>()
  for (const line of lines) {
    options.say(`answers: ${line.name}`)
    const ofLine: Track[] = []
    for (const engine of engines)
      if (isAsked(engine.plan, line)) ofLine.push(await firstPass(engine, line, options))
    tracks.push(...ofLine)
    const [ours, ...others] = ofLine
    if (ours?.engine.plan.name !== 'lamella' || ours.answers === null) continue
    let reference: Answers | null = null
    for (const track of others) {
      if (track.answers === null) continue
      if (track.engine.plan.isExact) {
        compare(comparison, line, ours.answers, track.answers)
      } else if (line.mode === 'top' && !UNSCORED.has(line.className)) {
        reference ??= await ours.engine.answers({ ...line, mode: 'top-100' }, options.limitInMillis)
        recalls.set(track, recall(track.answers, reference))
      }
    }
  }
  options.say('warming up')
  for (const track of tracks) await warm(track, options)
  for (let round = 0; round < options.rounds; round++) {
    options.say(`round ${round + 1} of ${options.rounds}`)
    for (const line of lines) {
      const ofLine = tracks.filter(track => track.line === line)
      // Who comes first after the pause between lines changes from round to round.
      for (let i = 0; i < ofLine.length; i++)
        await oneRound(ofLine[(i + round) % ofLine.length]!, round, options)
    }
  }
  const measured = tracks.map(track => measuredOf(track, recalls.get(track) ?? null))
  return { measured, comparison }
}

async function firstPass(
  engine: RunningEngine,
  line: Line,
  options: MeasureOptions,
): Promise<Track> {
  const track = { engine, line, answers: null, rounds: [], missing: null }
  try {
    const answers = await engine.answers(line, options.limitInMillis)
    const done = answers.answers.length
    if (done === line.texts.length) return { ...track, answers }
    const missing = `${done} of ${line.texts.length} queries in ${options.limitInMillis / 1000} s`
    return { ...track, missing }
  } catch (error) {
    const reason = (error as Error).message.split('\n')[0]!
    if (!(error instanceof UnsupportedError))
      options.say(`${engine.plan.name}, ${line.name}: ${(error as Error).message}`)
    return { ...track, missing: reason }
  }
}

async function warm(track: Track, options: MeasureOptions): Promise<void> {
  const { answers, engine, line } = track
  if (answers === null || answers.nanos > SLOW_PASS_IN_NANOS) return
  for (let passes = 0; passes < WARM_PASSES && track.missing === null; ) {
    const round = await attempt(track, () =>
      engine.round(line, options.warmInMillis, 4 * options.limitInMillis),
    )
    passes += round?.passes ?? 0
  }
}

async function oneRound(track: Track, round: number, options: MeasureOptions): Promise<void> {
  const { answers, engine, line } = track
  if (answers === null || track.missing !== null || round >= roundsFor(answers)) return
  const done = await attempt(track, () =>
    engine.round(line, options.roundInMillis, 4 * options.limitInMillis),
  )
  if (done !== null) track.rounds.push(done)
}

function roundsFor({ nanos }: Answers): number {
  if (nanos > VERY_SLOW_PASS_IN_NANOS) return 1
  return nanos > SLOW_PASS_IN_NANOS ? SLOW_ROUNDS : Number.POSITIVE_INFINITY
}

/** An engine that fails in the middle is left out from then on. */
async function attempt(track: Track, ask: () => Promise<Round>): Promise<Round | null> {
  try {
    return await ask()
  } catch (error) {
    track.missing = (error as Error).message.split('\n')[0]!
    return null
  }
}

function measuredOf(track: Track, found: number | null): Measured {
  const { engine, line, rounds, missing } = track
  const least = line.texts.map((_, i) => Math.min(...rounds.map(round => round.least[i]!)))
  const has = missing === null && rounds.length > 0
  const sum = (pick: (round: Round) => number): number =>
    rounds.reduce((total, round) => total + pick(round), 0)
  return {
    line: line.name,
    engine: engine.plan.name,
    missing: has ? null : (missing ?? 'no round was run'),
    least: has ? least : [],
    figures: has ? figuresOf(least) : null,
    roundMeans: rounds.map(({ least: times }) => times.reduce((a, b) => a + b, 0) / times.length),
    cpuShare: has ? sum(round => round.cpuNanos) / sum(round => round.nanos) : null,
    recall: found,
  }
}
