// The loop of a child in JavaScript: reads requests, runs them on an engine and answers; protocol.ts
// says what comes in and what goes out.
import { createInterface } from 'node:readline'

/** Thrown by an engine that has no way to run a query. */
export class Unsupported extends Error {}

/**
 * Serves an engine until it is told to quit.
 *
 * engine.hello                               version and runtime
 * engine.build(documents, folder, threads)   → Built without cpuNanos
 * engine.open(folder)                        returns when a search can run
 * engine.prepare(mode, slices, clauses)      → a function without arguments that runs the query, or a
 *                                              promise of one; its result, or a promise of it, goes to
 *                                              `answer`
 * engine.answer(result)                      → Answer
 * engine.close()
 */
export async function serve(engine) {
  const say = record => process.stdout.write(`${JSON.stringify(record)}\n`)
  say(engine.hello)
  for await (const line of createInterface({ input: process.stdin })) {
    const request = line.split('\t')
    if (request[0] === 'quit') break
    try {
      say(await answerTo(engine, request))
    } catch (error) {
      if (error instanceof Unsupported) say({ unsupported: error.message })
      else say({ error: String(error?.stack ?? error) })
    }
  }
  await engine.close()
  process.exit(0)
}

async function answerTo(engine, [verb, ...args]) {
  if (verb === 'build') return build(engine, args)
  if (verb === 'open') {
    const start = process.hrtime.bigint()
    await engine.open(args[0])
    return { nanos: since(start) }
  }
  const [mode, slices, millis, ...texts] = args
  const runs = await Promise.all(
    texts.map(text => engine.prepare(mode, Number(slices), clausesOf(text))),
  )
  const nanos = Number(millis) * 1e6
  if (verb === 'answers') return answers(engine, runs, nanos)
  if (verb === 'round') return round(runs, nanos)
  throw new Error(`unknown request ${verb}`)
}

async function build(engine, [documents, folder, _segments, threads]) {
  const cpu = process.cpuUsage()
  const built = await engine.build(documents, folder, Number(threads))
  return { cpuNanos: cpuSince(cpu), ...built }
}

async function answers(engine, runs, limit) {
  const start = process.hrtime.bigint()
  const found = []
  for (const run of runs) {
    if (since(start) > limit) break
    found.push(engine.answer(await run()))
  }
  return { nanos: since(start), answers: found }
}

/** Holds the last result: what is kept somewhere is not optimised away. */
const kept = { result: null }

async function round(runs, nanos) {
  const least = new Array(runs.length).fill(Number.POSITIVE_INFINITY)
  const cpu = process.cpuUsage()
  const start = performance.now()
  let passes = 0
  do {
    for (let i = 0; i < runs.length; i++) {
      const from = performance.now()
      let result = runs[i]()
      // An engine that answers at once is not made to wait for the next turn.
      if (typeof result?.then === 'function') result = await result
      const took = performance.now() - from
      if (took < least[i]) least[i] = took
      kept.result = result
    }
    passes++
  } while ((performance.now() - start) * 1e6 < nanos)
  return {
    least: least.map(took => Math.round(took * 1e6)),
    passes,
    nanos: Math.round((performance.now() - start) * 1e6),
    cpuNanos: cpuSince(cpu),
  }
}

/** The clauses of a query's text form. */
function clausesOf(text) {
  return text.split(' ').map(clause => {
    const [occur, kind, field, ...values] = clause.split('|')
    return { occur, kind, field, values }
  })
}

/** Nanoseconds since a reading of `process.hrtime.bigint`. */
export function since(start) {
  return Number(process.hrtime.bigint() - start)
}

function cpuSince(before) {
  const { user, system } = process.cpuUsage(before)
  return (user + system) * 1000
}
