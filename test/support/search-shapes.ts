/** Searches as tests of a kind of query need them: profile, scores, explanation. */
import { expect } from 'vitest'
import type { FieldIndex } from './field-index.ts'

/** A step of an explanation as it is printed. */
export interface PrintedStep {
  readonly value: number
  readonly description: string
  readonly details: readonly PrintedStep[]
}

/** Type and description of the query's root in its profile. */
export async function profiled(index: FieldIndex, query: object): Promise<[string, string]> {
  const { json, text } = await index.rest.call('POST /i/_search', { query, profile: true })
  if (json.profile === undefined) throw new Error(text)
  const { type, description } = json.profile.shards[0].searches[0].query[0]
  return [type, description]
}

/** Ids and scores of the hits, best first; each hit's explanation comes to its score. */
export async function scored(
  index: FieldIndex,
  query: object,
): Promise<[id: string, score: number][]> {
  const { json, text } = await index.rest.call('POST /i/_search?size=100', { query, explain: true })
  if (json.error !== undefined) throw new Error(text)
  return json.hits.hits.map(
    (hit: { _id: string; _score: number; _explanation: PrintedStep }): [string, number] => {
      expect(Math.fround(hit._explanation.value)).toBe(Math.fround(hit._score))
      return [hit._id, hit._score]
    },
  )
}

/** The explanation of a hit. */
export async function explained(
  index: FieldIndex,
  query: object,
  id: string,
): Promise<PrintedStep> {
  const { json, text } = await index.rest.call('POST /i/_search?size=100', { query, explain: true })
  const hit = json.hits?.hits.find((each: { _id: string }) => each._id === id)
  if (hit === undefined) throw new Error(text)
  return hit._explanation
}

/** Descriptions of a step and of all below it, indented. */
export function outlineOf({ description, details }: PrintedStep, depth = 0): string[] {
  const inner = details.flatMap(step => outlineOf(step, depth + 1))
  return [`${' '.repeat(depth)}${description}`, ...inner]
}
