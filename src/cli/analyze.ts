import { resolve } from 'node:path'
import type { Database } from '../embed/database.ts'
import type { OpenOptions } from '../embed/open.ts'
import type { Arguments, Verb } from './command-line.ts'
import { DATA_OPTION, openExisting } from './data-folder.ts'
import { type Column, drawTable } from './drawing/table.ts'
import { countedText, printable } from './drawing/text.ts'
import { drawTokenGraph, type GraphToken } from './drawing/token-graph.ts'
import { CliError, EXIT, type ExitCode, UsageError } from './exit-code.ts'
import { openDatabase } from './open-database.ts'
import type { Terminal } from './terminal.ts'

/** Tokens that the graph shows; the table has all. */
const MOST_DRAWN = 200

/** `lamella analyze`: what an analyzer or a chain makes of texts, as a table and as a graph. */
export const analyze: Verb = {
  positionals: [
    { name: 'TEXT', description: 'texts, analysed as values of one field', isList: true },
  ],
  options: {
    analyzer: { type: 'string', valueHint: 'A', description: 'An analyzer by name' },
    tokenizer: { type: 'string', valueHint: 'T', description: 'A tokenizer, by name or in JSON' },
    filter: {
      type: 'string',
      valueHint: 'F',
      isList: true,
      description: 'Token filters: names with commas, or one in JSON; in order',
    },
    'char-filter': {
      type: 'string',
      valueHint: 'C',
      isList: true,
      description: 'Char filters, likewise',
    },
    normalizer: { type: 'string', valueHint: 'N', description: 'A normalizer of the index' },
    index: { type: 'string', valueHint: 'NAME', description: 'The index whose analysis it is' },
    field: {
      type: 'string',
      valueHint: 'F',
      description: 'As this field of the index is analysed',
    },
    data: DATA_OPTION,
    config: {
      type: 'string',
      valueHint: 'DIR',
      description: 'Where word files lie, for an analysis without an index',
    },
    explain: { type: 'boolean', description: 'Show what every stage makes' },
  },

  async run(given: Arguments, terminal: Terminal): Promise<ExitCode> {
    const index = given.text('index')
    await using db = index === null ? await withoutData(given) : await openExisting(given)
    const path = index === null ? '/_analyze' : `/${encodeURIComponent(index)}/_analyze`
    const response = await db.request({ method: 'POST', path, body: bodyOf(given) })
    const answer = response.json() as AnalyzeAnswer
    if (answer.error !== undefined) throw new CliError(answer.error.reason)
    if (given.flag('json')) {
      terminal.outBytes(response.body)
      terminal.out('')
    } else for (const line of drawAnalysis(answer, terminal)) terminal.out(line)
    return EXIT.fine
  },
}

/** A token as `_analyze` prints it. */
interface AnalyzeToken {
  readonly token: string
  readonly start_offset: number
  readonly end_offset: number
  readonly type: string
  readonly position: number
  readonly positionLength?: number
}

interface AnalyzeStage {
  readonly name: string
  readonly tokens: readonly AnalyzeToken[]
}

/** The engine's own answer. */
interface AnalyzeAnswer {
  readonly error?: { readonly reason: string }
  readonly tokens?: readonly AnalyzeToken[]
  readonly detail?: {
    readonly charfilters?: readonly { readonly name: string; readonly filtered_text: string[] }[]
    readonly analyzer?: AnalyzeStage
    readonly tokenizer?: AnalyzeStage
    readonly tokenfilters?: readonly AnalyzeStage[]
  }
}

function withoutData(given: Arguments): Promise<Database> {
  if (given.text('field') !== null || given.text('normalizer') !== null)
    throw new UsageError('--field and --normalizer want an --index')
  const config = given.text('config')
  const options: OpenOptions = config === null ? {} : { settings: { 'path.conf': resolve(config) } }
  return openDatabase(undefined, options)
}

function bodyOf(given: Arguments): Record<string, unknown> {
  const body: Record<string, unknown> = { text: given.positionals }
  for (const name of ['analyzer', 'normalizer', 'field'] as const) {
    const value = given.text(name)
    if (value !== null) body[name] = value
  }
  const tokenizer = given.text('tokenizer')
  if (tokenizer !== null) body['tokenizer'] = componentsOf('tokenizer', tokenizer)[0]
  for (const name of ['filter', 'char-filter'] as const) {
    const parts = given.list(name).flatMap(value => componentsOf(name, value))
    if (parts.length > 0) body[name.replace('-', '_')] = parts
  }
  if (given.flag('explain')) body['explain'] = true
  return body
}

/** Names with commas between, or one definition in JSON. */
function componentsOf(option: string, value: string): unknown[] {
  if (!value.trimStart().startsWith('{')) return value.split(',').map(name => name.trim())
  try {
    return [JSON.parse(value)]
  } catch (error) {
    throw new UsageError(`--${option} is no JSON: ${error instanceof Error ? error.message : ''}`)
  }
}

const COLUMNS: readonly Column[] = [
  { title: 'position', align: 'right' },
  { title: 'token', isFlexible: true },
  { title: 'offsets', align: 'right' },
  { title: 'length', align: 'right' },
  { title: 'type' },
]

/** Tokens as a table and a graph; with `explain` those of every stage. */
function drawAnalysis(answer: AnalyzeAnswer, terminal: Terminal): string[] {
  const { detail } = answer
  if (detail === undefined) return drawTokens(answer.tokens ?? [], terminal)
  const lines: string[] = []
  for (const { name, filtered_text: texts } of detail.charfilters ?? [])
    lines.push(
      terminal.paint.bold(`char filter ${printable(name)}`),
      ...texts.map(text => printable(text)),
      '',
    )
  const stages: [string, AnalyzeStage | undefined][] = [
    ['analyzer', detail.analyzer],
    ['tokenizer', detail.tokenizer],
    ...(detail.tokenfilters ?? []).map((each): [string, AnalyzeStage] => ['filter', each]),
  ]
  for (const [kind, stage] of stages) {
    if (stage === undefined) continue
    lines.push(terminal.paint.bold(`${kind} ${printable(stage.name)}`))
    lines.push(...drawTokens(stage.tokens, terminal), '')
  }
  return lines.slice(0, -1)
}

function drawTokens(tokens: readonly AnalyzeToken[], { width, paint }: Terminal): string[] {
  if (tokens.length === 0) return ['no tokens']
  const rows = tokens.map(each => [
    String(each.position),
    printable(each.token),
    `${each.start_offset}–${each.end_offset}`,
    String(each.positionLength ?? 1),
    each.type,
  ])
  const graph: GraphToken[] = tokens
    .slice(0, MOST_DRAWN)
    .map(({ token, position, positionLength = 1 }) => ({ token, position, positionLength }))
  const lines = [...drawTable(COLUMNS, rows, width, paint), '']
  lines.push(...drawTokenGraph(graph, width, paint))
  if (tokens.length > MOST_DRAWN)
    lines.push(paint.dim(`the graph shows the first of ${countedText(tokens.length, 'token')}`))
  return lines
}
