/** Endpoints that answer a table: as text, or as a list of records in a format of bodies. */

import type { Action } from '../../task/actions.ts'
import { EngineError } from '../../util/errors.ts'
import type { JsonMap, JsonValue } from '../../util/json/json-value.ts'
import { matchesWildcard } from '../../util/wildcard.ts'
import {
  type Answer,
  type BodyKind,
  type Call,
  defineEndpoint,
  type Endpoint,
  type Route,
} from '../endpoint.ts'
import { takes } from '../param-form.ts'
import { flag, list, type ParamReader, type ParamTable, text } from '../params.ts'
import { type CellUnits, cellText, compareCells, SIZE_UNITS, TIME_UNITS } from './cell-text.ts'
import { type Column, camelCase } from './column.ts'
import type { Page } from './page.ts'
import { printHelp, printTable } from './print-table.ts'

/** Taken by every table. */
const TABLE_PARAMS: {
  readonly v: ParamReader<boolean>
  readonly h: ParamReader<readonly string[]>
  readonly s: ParamReader<readonly string[]>
  readonly help: ParamReader<boolean>
  readonly bytes: ParamReader<number | null>
  readonly time: ParamReader<number | null>
  readonly local: ParamReader<boolean>
  readonly master_timeout: ParamReader<string>
  readonly cluster_manager_timeout: ParamReader<string>
} = {
  v: flag,
  h: list,
  s: list,
  help: flag,
  bytes: unit(SIZE_UNITS),
  time: unit(TIME_UNITS),
  local: flag,
  master_timeout: text,
  cluster_manager_timeout: text,
}

/** A call of a table with parameters of its own. */
export type CatCall<T extends ParamTable> = Call<T & typeof TABLE_PARAMS>

interface CatSpec<T extends ParamTable, Row> {
  readonly routes: readonly Route[]
  readonly action: Action
  readonly params: T
  /** Absent: it is refused. */
  readonly body?: BodyKind
  /** In print order; the parameters may choose among them. */
  columns(call: CatCall<T>): readonly Column<Row>[]
  rows(call: CatCall<T>): readonly Row[] | Promise<readonly Row[]>
}

/** An endpoint whose answer is a table. */
export function catEndpoint<T extends ParamTable, Row>(spec: CatSpec<T, Row>): Endpoint {
  return tableEndpoint(spec, async call => {
    const rows = sorted(await spec.rows(call), spec.columns(call), call.params.s ?? [])
    return tableAnswer(call, spec.columns(call), rows)
  })
}

interface ListSpec<T extends ParamTable, Row> extends Omit<CatSpec<T, Row>, 'rows'> {
  /** The key of the rows in an answer that is no text. */
  readonly key: string
  page(call: CatCall<T>): Page<Row> | Promise<Page<Row>>
}

/** An endpoint whose answer is a page of a table, and the token of the next page. */
export function listEndpoint<T extends ParamTable, Row>(spec: ListSpec<T, Row>): Endpoint {
  return tableEndpoint(spec, async call => {
    const { rows, nextToken } = await spec.page(call)
    const columns = spec.columns(call)
    const answer = tableAnswer(call, columns, sorted(rows, columns, call.params.s ?? []))
    if ('json' in answer) return { json: { next_token: nextToken, [spec.key]: answer.json } }
    return { text: `${answer.text}next_token ${nextToken}\n` }
  })
}

function tableEndpoint<T extends ParamTable, Row>(
  spec: Omit<CatSpec<T, Row>, 'rows'>,
  answer: (call: CatCall<T>) => Promise<Answer>,
): Endpoint {
  return defineEndpoint({
    routes: spec.routes,
    action: spec.action,
    params: { ...spec.params, ...TABLE_PARAMS },
    body: spec.body ?? 'none',
    async handle(call): Promise<Answer> {
      if (call.params.help === true) return { text: printHelp(spec.columns(call)) }
      return await answer(call)
    },
  })
}

/** The columns that a call asks for, of some rows. */
function tableAnswer<Row>(
  { params, format }: CatCall<ParamTable>,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): { readonly json: JsonValue } | { readonly text: string } {
  const shown = shownColumns(columns, params.h)
  const units: CellUnits = { size: params.bytes ?? null, time: params.time ?? null }
  const cells = rows.map(row => shown.map(({ column }) => cellText(column.cell(row), units)))
  if (format !== null)
    return {
      // Maps, as headers are spelt by the caller.
      json: cells.map((row): JsonMap => new Map(row.map((cell, i) => [shown[i]!.header, cell]))),
    }
  return {
    text: printTable(
      shown.map(({ header, column }) => ({ header, isRight: column.isRight })),
      cells,
      params.v ?? false,
    ),
  }
}

/** A column under the name that was asked for. */
interface ShownColumn<Row> {
  readonly header: string
  readonly column: Column<Row>
}

/** The columns that `h` names, in its order; a pattern shows columns under their own names. */
function shownColumns<Row>(
  columns: readonly Column<Row>[],
  names: readonly string[] | undefined,
): readonly ShownColumn<Row>[] {
  if (names === undefined || names.length === 0)
    return columns
      .filter(({ isDefault }) => isDefault)
      .map(column => ({ header: column.name, column }))
  const shown = new Map<string, Column<Row>>()
  for (const name of names) {
    if (name.includes('*')) {
      for (const column of columns)
        if (namesOf(column).some(one => matchesWildcard(name, one))) shown.set(column.name, column)
      continue
    }
    const column = find(columns, name)
    if (column !== undefined) shown.set(name, column)
  }
  return [...shown].map(([header, column]) => ({ header, column }))
}

function find<Row>(columns: readonly Column<Row>[], name: string): Column<Row> | undefined {
  return columns.find(column => namesOf(column).includes(name))
}

/** Every name by which `h` and `s` know a column; the one in camel case is not in `help`. */
function namesOf<Row>({ name, aliases }: Column<Row>): readonly string[] {
  return [name, ...aliases, camelCase(name)]
}

/** Rows by the keys of `s`, `name` or `name:desc`, each before the next. */
function sorted<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  keys: readonly string[],
): readonly Row[] {
  if (keys.length === 0) return rows
  const orders = keys.map(key => {
    const [, name = key, direction] = /^(.*):(asc|desc)$/.exec(key) ?? []
    const column = find(columns, name)
    if (column === undefined)
      throw new EngineError({
        type: 'unsupported_operation_exception',
        status: 500,
        reason: `Unable to sort by unknown sort key \`${name}\``,
      })
    return { column, sign: direction === 'desc' ? -1 : 1 }
  })
  return [...rows].sort((a, b) => {
    for (const { column, sign } of orders) {
      const order = compareCells(column.cell(a), column.cell(b))
      if (order !== 0) return sign * order
    }
    return 0
  })
}

/** One of some units; any other is no unit, as on the real server, and values print in their own. */
function unit(units: Readonly<Record<string, number>>): ParamReader<number | null> {
  return takes(Object.keys(units).join(' | '), value =>
    Object.hasOwn(units, value) ? units[value]! : null,
  )
}
