/** Data streams under random changes and restarts, held against a model of a few maps. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openRest, type Rest } from '../support/rest-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'

const STREAMS = ['logs-a', 'logs-b'] as const
const LOOSE = ['old-1', 'old-2'] as const

/** What should be there. */
interface Model {
  /** By name: its indices, oldest first, and its generation. */
  readonly streams: Map<string, { indices: string[]; generation: number }>
  /** Documents of every index. */
  readonly docs: Map<string, number>
}

type Step = (rest: Rest, model: Model) => Promise<void>

const backingName = (stream: string, generation: number): string =>
  `.ds-${stream}-${String(generation).padStart(6, '0')}`

/** Sends a call; whether it succeeded must be as the model has it. */
async function send(rest: Rest, isFine: boolean, line: string, body?: object): Promise<void> {
  const { status, json } = await rest.call(line, body)
  expect([line, status < 300, json.error]).toEqual([
    line,
    isFine,
    isFine ? undefined : expect.anything(),
  ])
  // Nothing is a defect of ours.
  expect(status).toBeLessThan(500)
}

function made(model: Model, name: string, generation: number): void {
  const stream = model.streams.get(name) ?? { indices: [], generation }
  const index = backingName(name, generation)
  model.streams.set(name, { indices: [...stream.indices, index], generation })
  model.docs.set(index, 0)
}

const writeIndex = (model: Model, name: string): string | undefined =>
  model.streams.get(name)?.indices.at(-1)

const ownerOf = (model: Model, index: string): string | undefined =>
  [...model.streams].find(([, { indices }]) => indices.includes(index))?.[0]

const leave = (model: Model, index: string): void => {
  for (const stream of model.streams.values())
    stream.indices = stream.indices.filter(name => name !== index)
}

const stream = fc.constantFrom(...STREAMS)
const anyIndex = fc.oneof(
  fc.constantFrom<string>(...LOOSE),
  fc.tuple(stream, fc.integer({ min: 1, max: 4 })).map(([name, n]) => backingName(name, n)),
)

const create = stream.map(
  (name): Step =>
    async (rest, model) => {
      const isFine = !model.streams.has(name) && !model.docs.has(backingName(name, 1))
      await send(rest, isFine, `PUT /_data_stream/${name}`)
      if (isFine) made(model, name, 1)
    },
)
const write = stream.map(
  (name): Step =>
    async (rest, model) => {
      const isNew = !model.streams.has(name)
      const isFine = !isNew || !model.docs.has(backingName(name, 1))
      await send(rest, isFine, `POST /${name}/_doc?refresh`, { '@timestamp': 1 })
      if (!isFine) return
      if (isNew) made(model, name, 1)
      const index = writeIndex(model, name)!
      model.docs.set(index, model.docs.get(index)! + 1)
    },
)
const rollover = stream.map(
  (name): Step =>
    async (rest, model) => {
      const generation = (model.streams.get(name)?.generation ?? 0) + 1
      const isFine = model.streams.has(name) && !model.docs.has(backingName(name, generation))
      await send(rest, isFine, `POST /${name}/_rollover`)
      if (isFine) made(model, name, generation)
    },
)
const removeStream = stream.map(
  (name): Step =>
    async (rest, model) => {
      const found = model.streams.get(name)
      await send(rest, found !== undefined, `DELETE /_data_stream/${name}`)
      for (const index of found?.indices ?? []) model.docs.delete(index)
      model.streams.delete(name)
    },
)
const removeIndex = anyIndex.map(
  (index): Step =>
    async (rest, model) => {
      const owner = ownerOf(model, index)
      const isFine = model.docs.has(index) && (!owner || writeIndex(model, owner) !== index)
      await send(rest, isFine, `DELETE /${index}`)
      if (!isFine) return
      leave(model, index)
      model.docs.delete(index)
    },
)
const createLoose = fc.constantFrom(...LOOSE).map(
  (index): Step =>
    async (rest, model) => {
      const isFine = !model.docs.has(index)
      await send(rest, isFine, `PUT /${index}`, {
        mappings: { properties: { '@timestamp': { type: 'date' } } },
      })
      if (isFine) model.docs.set(index, 0)
    },
)
const modify = fc.tuple(stream, anyIndex, fc.boolean()).map(
  ([name, index, isAdded]): Step =>
    async (rest, model) => {
      const found = model.streams.get(name)
      const isIn = found?.indices.includes(index) === true
      const number = (each: string): number =>
        each.startsWith(`.ds-${name}-`) ? Number(each.slice(-6)) : -1
      const isBehind = found !== undefined && number(index) < number(writeIndex(model, name)!)
      const owner = ownerOf(model, index)
      const isFine = isAdded
        ? isIn || (model.docs.has(index) && owner === undefined && isBehind)
        : isIn && writeIndex(model, name) !== index
      const kind = isAdded ? 'add_backing_index' : 'remove_backing_index'
      const actions = [{ [kind]: { data_stream: name, index } }]
      await send(rest, isFine, 'POST /_data_stream/_modify', { actions })
      if (!isFine || (isAdded && isIn)) return
      if (!isAdded) leave(model, index)
      // One that is called like none of the stream's goes first, the latest of them last.
      else found!.indices = [...found!.indices, index].sort((a, b) => number(a) - number(b))
    },
)

/** Everything that the API tells of streams and indices is as the model has it. */
async function check(rest: Rest, { streams, docs }: Model): Promise<void> {
  const { json } = await rest.call('GET /_data_stream')
  const shown = json.data_streams.map(
    (each: { name: string; generation: number; indices: { index_name: string }[] }) => [
      each.name,
      { indices: each.indices.map(index => index.index_name), generation: each.generation },
    ],
  )
  expect(shown).toEqual([...streams].sort())
  const all = (await rest.call('GET /_resolve/index/*?expand_wildcards=all')).json
  const indices = all.indices.map((each: { name: string; data_stream?: string }) => [
    each.name,
    each.data_stream,
  ])
  expect(indices).toEqual(
    [...docs.keys()].sort().map(name => [name, ownerOf({ streams, docs }, name)]),
  )
  for (const [name, { indices }] of streams) {
    const { count } = (await rest.call(`GET /${name}/_count`)).json
    expect([name, count]).toEqual([name, indices.reduce((sum, each) => sum + docs.get(each)!, 0)])
  }
}

it('are what their changes made them, over restarts', async () => {
  const restart = fc.constant('restart' as const)
  const steps = fc.array(
    fc.oneof(
      { weight: 2, arbitrary: create },
      { weight: 5, arbitrary: write },
      { weight: 5, arbitrary: rollover },
      { weight: 1, arbitrary: removeStream },
      { weight: 4, arbitrary: removeIndex },
      { weight: 2, arbitrary: createLoose },
      { weight: 6, arbitrary: modify },
      { weight: 1, arbitrary: restart },
    ),
    { minLength: 15, maxLength: 30 },
  )
  await fc.assert(
    fc.asyncProperty(steps, async list => {
      const folder = tempFolder('streams')
      const model: Model = { streams: new Map(), docs: new Map() }
      let rest = await openRest({}, folder)
      try {
        await rest.call('PUT /_index_template/logs', {
          index_patterns: ['logs-*'],
          data_stream: {},
          template: { settings: { number_of_replicas: 0 } },
        })
        for (const step of list) {
          if (step === 'restart') {
            await rest.close()
            rest = await openRest({}, folder)
          } else await step(rest, model)
          await check(rest, model)
        }
      } finally {
        await rest.close()
      }
    }),
    { numRuns: 5 },
  )
})
