import type { Hit, SearchResult } from '../embed/search-result.ts'
import { searchResult } from '../embed/search-result.ts'
import { decodeUtf8 } from '../util/bytes.ts'
import { aggregationsOf } from './aggregation-text.ts'
import type { Arguments, Verb } from './command-line.ts'
import { DATA_OPTION, existingIndex, openExisting } from './data-folder.ts'
import { drawAggregation } from './drawing/aggregation.ts'
import { drawShard } from './drawing/shard-profile.ts'
import { type Column, drawTable } from './drawing/table.ts'
import { countedText, printable } from './drawing/text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { hybridOf, QUERY_WORDS, searchBodyOf } from './query-text.ts'
import type { Terminal } from './terminal.ts'

/** `lamella search`: one search over an index of a data folder. */
export const search: Verb = {
  positionals: QUERY_WORDS,
  options: {
    data: DATA_OPTION,
    field: { type: 'string', valueHint: 'F', description: 'Match words in this field alone' },
    hybrid: {
      type: 'string',
      isList: true,
      valueHint: 'QUERY',
      description: 'Combine the hits with those of another query; may be repeated',
    },
    agg: {
      type: 'string',
      isList: true,
      valueHint: 'TYPE:FIELD',
      description: 'Aggregate the matches, as in terms:tags or histogram:price:10; may be repeated',
    },
    size: { type: 'string', valueHint: 'N', description: 'Hits to show (default: 10)' },
    slices: { type: 'string', valueHint: 'N', description: 'Search in at most so many slices' },
    pipeline: {
      type: 'string',
      valueHint: 'ID',
      description: 'Search through this search pipeline',
    },
    profile: { type: 'boolean', description: 'Show where the time went' },
    explain: { type: 'boolean', description: 'Show how each score came about' },
  },

  async run(given: Arguments, terminal: Terminal): Promise<ExitCode> {
    const [name = '', query = ''] = given.positionals
    const size = given.wholeNumber('size', 0, 10_000)
    const slices = given.wholeNumber('slices', 1, 1024)
    await using db = await openExisting(given)
    const index = await existingIndex(db, name)
    const body = await searchBodyOf(db, name, query, given.text('field'))
    const others = given.list('hybrid')
    if (others.length > 0)
      body['query'] = await hybridOf(db, name, [query, ...others], given.text('field'))
    if (size !== null) body['size'] = size
    const pipeline = given.text('pipeline')
    if (pipeline !== null) body['search_pipeline'] = pipeline
    const aggs = given.list('agg')
    if (aggs.length > 0) body['aggs'] = aggregationsOf(aggs)
    if (given.flag('explain')) body['explain'] = true
    if (given.flag('profile')) Object.assign(body, { profile: true, profile_slices: true })
    const bytes = await index.searchRaw(body, slices === null ? {} : { slices })
    if (given.flag('json')) {
      terminal.outBytes(bytes)
      terminal.out('')
      return EXIT.fine
    }
    const text = decodeUtf8(bytes)
    const result = searchResult<unknown, undefined>(text)
    for (const line of drawResult(result, terminal)) terminal.out(line)
    const { aggregations = {} } = JSON.parse(text) as PrintedSearch
    for (const [aggregation, answer] of Object.entries(aggregations))
      for (const line of drawAggregation(aggregation, answer, terminal.width, terminal.paint))
        terminal.out(line)
    for (const shard of result.profile?.shards ?? []) {
      terminal.out('')
      for (const line of drawShard(shard, terminal.width, terminal.paint)) terminal.out(line)
    }
    return EXIT.fine
  },
}

/** The aggregations of an answer as it is printed. */
interface PrintedSearch {
  readonly aggregations?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const HIT_COLUMNS: readonly Column[] = [
  { title: '#', align: 'right' },
  { title: 'score', align: 'right' },
  { title: 'id' },
  { title: 'source', isFlexible: true },
]

/** A search's answer: how many match, and the hits as a table. */
export function drawResult(
  result: SearchResult<unknown>,
  { width, paint }: Pick<Terminal, 'width' | 'paint'>,
): string[] {
  const lines = [paint.dim(summaryOf(result))]
  if (result.hits.length > 0)
    lines.push(...drawTable(HIT_COLUMNS, result.hits.map(rowOf), width, paint))
  for (const hit of result.hits)
    if (hit.explanation !== null) {
      lines.push('', paint.bold(printable(hit.id)), ...explanationLines(hit.explanation))
    }
  return lines
}

function summaryOf({ total, tookInMillis, timedOut, shards }: SearchResult<unknown>): string {
  const count =
    total === null
      ? 'hits not counted'
      : `${total.relation === 'gte' ? '≥ ' : ''}${countedText(total.value, 'hit')}`
  const failed = shards.failed > 0 ? `, ${shards.failed} of ${shards.total} shards failed` : ''
  return `${count} in ${tookInMillis} ms${timedOut ? ', timed out' : ''}${failed}`
}

function rowOf(hit: Hit<unknown>, at: number): string[] {
  const source = hit.source === null ? '' : JSON.stringify(hit.source)
  return [
    String(at + 1),
    hit.score === null ? '–' : hit.score.toFixed(4),
    printable(hit.id),
    printable(source),
  ]
}

// Recursion is as deep as the query, whose depth the parser has bounded.
function explanationLines(
  { value, description, details }: NonNullable<Hit<unknown>['explanation']>,
  depth = 1,
): string[] {
  return [
    `${'  '.repeat(depth)}${value} ${printable(description)}`,
    ...details.flatMap(detail => explanationLines(detail, depth + 1)),
  ]
}
