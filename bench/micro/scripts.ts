import { DocFields, DocValues } from '../../dist/script/doc/doc-values.js'
import { compilePainless } from '../../dist/script/painless/compile-painless.js'
import type { PainlessSettings } from '../../dist/script/painless/painless-settings.js'
import { ScriptRun } from '../../dist/script/script-run.js'
import type { ScriptValue } from '../../dist/script/value/script-value.js'
import { micro } from '../lib/harness.ts'
import { atMost, type Bench } from '../lib/result.ts'

const DOCS = 10_000
const ROUNDS = 100_000

const SETTINGS: PainlessSettings = {
  regex: 'limited',
  regexLimitFactor: 6,
  functions: new Map(),
}

const SCORE = {
  variables: [
    { name: 'params', type: 'Map' },
    { name: 'doc', type: 'Map' },
    { name: '_score', type: 'double' },
  ],
  returns: 'double',
}

const UPDATE = {
  variables: [
    { name: 'params', type: 'Map' },
    { name: 'ctx', type: 'Map' },
  ],
  returns: 'void',
}

/** How fast scripts run: documents, rounds of loops, updates, compilations. */
export const scripts: Bench = {
  name: 'scripts',
  async run() {
    const run = new ScriptRun({ deadline: Infinity, maxBytes: Infinity, isCancelled: () => false })
    const nothing: ScriptValue = new Map()
    const columns = new Columns()
    const score = (source: string, params: ScriptValue = nothing): (() => number) => {
      const script = compilePainless(source, SCORE, SETTINGS)
      const variables = [params, columns, 0]
      return () => {
        let sum = 0
        for (let doc = 0; doc < DOCS; doc++) {
          columns.doc = doc
          variables[2] = 1.5
          run.restart()
          sum += script.execute(variables, run) as number
        }
        return sum
      }
    }
    const loop = (source: string): (() => unknown) => {
      const script = compilePainless(source, { variables: [], returns: 'def' }, SETTINGS)
      return () => {
        run.restart()
        return script.execute([], run)
      }
    }
    const params: ScriptValue = new Map([['boost', 1.5]])
    const documents = [
      { name: 'score of 10 nodes', run: score("Math.log(2 + doc['likes'].value) * _score") },
      {
        name: 'if, local, ternary',
        run: score('double x = _score * 2; if (x > 1) { return x > 2 ? x : 1 } return 0'),
      },
    ]
    const withParams = [
      {
        name: 'score with params',
        run: score("Math.log(2 + doc['likes'].value) * params.boost * _score", params),
      },
    ]
    const loops = [
      {
        name: 'int loop',
        run: loop(`int s = 0; for (int i = 0; i < ${ROUNDS}; i++) { s += i } s`),
      },
      {
        name: 'long loop',
        run: loop(`long s = 0; for (long i = 0; i < ${ROUNDS}; i++) { s += i } s`),
      },
      {
        name: 'def loop',
        run: loop(`def s = 0; for (def i = 0; i < ${ROUNDS}; i++) { s += i } s`),
      },
    ]
    const update = compilePainless(
      "ctx._source.counter += params.count; ctx._source.tag = 'new'; if (ctx._source.counter > 5) { ctx.op = 'none' }",
      UPDATE,
      SETTINGS,
    )
    const sources = new Map<ScriptValue, ScriptValue>([['counter', 1]])
    const ctx = new Map<ScriptValue, ScriptValue>([['_source', sources]])
    const count = new Map<ScriptValue, ScriptValue>([['count', 4]])
    const runs = [
      {
        name: 'update of 3 statements',
        run: () => {
          for (let i = 0; i < 1000; i++) {
            sources.set('counter', 1)
            run.restart()
            update.execute([count, ctx], run)
          }
          return ctx
        },
      },
    ]
    const text = 'def total = 0; for (t in ctx._source.tags) { total += t.length() } '
    const compilations = [
      { name: 'compile 70 characters', run: () => compilePainless(text, UPDATE, SETTINGS) },
    ]
    const marked = async (
      cases: Parameters<typeof micro>[1],
      unit: string,
      perCall: number,
      mark: number,
    ) =>
      (await micro('scripts', cases, unit, perCall)).map(result => ({
        ...result,
        mark: atMost(result.min, mark, unit.split('/')[0]!),
      }))
    return [
      ...(await marked(documents, 'ns/doc', DOCS, 25)),
      ...(await marked(withParams, 'ns/doc', DOCS, 75)),
      ...(await marked(loops, 'ns/round', ROUNDS, 70)),
      ...(await marked(runs, 'ns/execution', 1000, 1000)),
      ...(await marked(compilations, 'ns/source', 1, 100_000)),
    ]
  },
}

/** Documents with a column of longs. */
class Columns extends DocFields {
  doc = 0
  readonly likes = new Likes(this)

  override field(): DocValues {
    return this.likes
  }

  override has(): boolean {
    return true
  }
}

class Likes extends DocValues {
  readonly className: string = 'org.opensearch.index.fielddata.ScriptDocValues$Longs'
  readonly numbers = 'long'
  readonly size = 1
  readonly #columns: Columns
  readonly #values = Float64Array.from({ length: DOCS }, (_, i) => (i * 7919) % 1000)

  constructor(columns: Columns) {
    super()
    this.#columns = columns
  }

  override at(): ScriptValue {
    return BigInt(this.bareAt())
  }

  override bareAt(): number {
    return this.#values[this.#columns.doc]!
  }
}
