import { inspectFolder } from '../engine/inspect/inspect.ts'
import type { InspectReport, ShardReport } from '../engine/inspect/inspect-report.ts'
import type { Arguments, Verb } from './command-line.ts'
import { type Column, drawTable } from './drawing/table.ts'
import { bytesText, countedText, countText, printable } from './drawing/text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import type { Terminal } from './terminal.ts'

/** `lamella inspect`: what a folder holds, and whether it is whole. Reads only, takes no lock. */
export const inspect: Verb = {
  positionals: [{ name: 'DIR', description: 'a data folder, or an index or a shard in one' }],
  options: {
    verify: { type: 'boolean', description: 'Check every checksum and cross-reference' },
    sections: { type: 'boolean', description: 'Show what each part takes, and graphs of vectors' },
  },

  async run(given: Arguments, terminal: Terminal): Promise<ExitCode> {
    const [folder = ''] = given.positionals
    const verify = given.flag('verify')
    const report = await inspectFolder(folder, { verify, graphs: given.flag('sections') })
    if (given.flag('json')) terminal.out(JSON.stringify(report))
    else {
      for (const line of drawInspection(report, verify, terminal)) terminal.out(line)
      if (given.flag('sections'))
        for (const line of [...drawSections(report, terminal), ...drawGraphs(report, terminal)])
          terminal.out(line)
    }
    return report.damages.length === 0 ? EXIT.fine : EXIT.failure
  },
}

const SEGMENT_COLUMNS: readonly Column[] = [
  { title: 'index' },
  { title: 'shard', align: 'right' },
  { title: 'commit', align: 'right' },
  { title: 'segment' },
  { title: 'documents', align: 'right' },
  { title: 'deleted', align: 'right' },
  { title: 'size', align: 'right' },
  { title: 'largest sections', isFlexible: true },
]

const SECTION_COLUMNS: readonly Column[] = [
  { title: 'index' },
  { title: 'shard', align: 'right' },
  { title: 'segment' },
  { title: 'part' },
  { title: 'size', align: 'right' },
  { title: 'share', align: 'right' },
  { title: 'bytes a document', align: 'right' },
  { title: 'field', isFlexible: true },
]

/** Sections named beside a segment. */
const NAMED_SECTIONS = 3

/** A report as lines: the segments as a table, then what is damaged. */
export function drawInspection(
  report: InspectReport,
  verified: boolean,
  { width, paint }: Pick<Terminal, 'width' | 'paint'>,
): string[] {
  const { damages, fileCount, sizeInBytes } = report
  const lines = [
    `${printable(report.folder)}: ${report.kind} folder, ` +
      `${countedText(fileCount, 'file')}, ${bytesText(sizeInBytes)}`,
  ]
  const rows = report.shards.flatMap(rowsOf)
  if (rows.length > 0) lines.push('', ...drawTable(SEGMENT_COLUMNS, rows, width, paint))
  lines.push('')
  for (const { file, offset, expected, found } of damages) {
    lines.push(
      paint.bad(
        printable(`damaged: ${file} at byte ${offset}: expected ${expected}, found ${found}`),
      ),
    )
  }
  if (damages.length > 0) lines.push(paint.bad(countedText(damages.length, 'damage')))
  else if (verified) lines.push(paint.good('verified: no damage'))
  else lines.push('no damage in what opening checks; --verify checks every byte')
  return lines
}

/** Bytes of each part of each segment, the largest first; empty when there are no segments. */
export function drawSections(
  report: InspectReport,
  { width, paint }: Pick<Terminal, 'width' | 'paint'>,
): string[] {
  const rows = report.shards.flatMap(({ index, shard, segments }) =>
    segments.flatMap(({ name, docCount, sizeInBytes, sections }) => {
      const start = [printable(index), String(shard), printable(name)]
      const row = (part: string, bytes: number, field: string): string[] => [
        ...start,
        part,
        bytesText(bytes),
        `${((100 * bytes) / Math.max(sizeInBytes, 1)).toFixed(1)} %`,
        (bytes / Math.max(docCount, 1)).toFixed(2),
        printable(field),
      ]
      const inSections = sections.reduce((sum, { lengthInBytes }) => sum + lengthInBytes, 0)
      return [
        ...sections.map(section => ({ ...section, field: section.field ?? '' })),
        { name: 'stored documents, rest', field: '', lengthInBytes: sizeInBytes - inSections },
      ]
        .sort((a, b) => b.lengthInBytes - a.lengthInBytes)
        .map(section => row(section.name, section.lengthInBytes, section.field))
    }),
  )
  return rows.length === 0 ? [] : ['', ...drawTable(SECTION_COLUMNS, rows, width, paint)]
}

const GRAPH_COLUMNS: readonly Column[] = [
  { title: 'index' },
  { title: 'shard', align: 'right' },
  { title: 'segment' },
  { title: 'level', align: 'right' },
  { title: 'nodes', align: 'right' },
  { title: 'neighbours, least', align: 'right' },
  { title: 'mean', align: 'right' },
  { title: 'most', align: 'right' },
  { title: 'field', isFlexible: true },
]

/** The levels of each graph of vectors, the lowest first; empty when there is none. */
export function drawGraphs(
  report: InspectReport,
  { width, paint }: Pick<Terminal, 'width' | 'paint'>,
): string[] {
  const rows = report.shards.flatMap(({ index, shard, segments }) =>
    segments.flatMap(({ name, graphs = [] }) =>
      graphs.flatMap(({ field, levels }) =>
        levels.map(({ nodeCount, minDegree, meanDegree, maxDegree }, level) => [
          printable(index),
          String(shard),
          printable(name),
          String(level),
          countText(nodeCount),
          String(minDegree),
          meanDegree.toFixed(1),
          String(maxDegree),
          printable(field),
        ]),
      ),
    ),
  )
  return rows.length === 0 ? [] : ['', ...drawTable(GRAPH_COLUMNS, rows, width, paint)]
}

function rowsOf({ index, shard, commit, segments }: ShardReport): string[][] {
  const start = [printable(index), String(shard), commit === null ? 'none' : String(commit)]
  if (segments.length === 0) return [[...start, '–', '0', '0', '–', '']]
  return segments.map(segment => [
    ...start,
    printable(segment.name),
    countText(segment.docCount),
    countText(segment.deletedDocCount),
    bytesText(segment.sizeInBytes),
    [...segment.sections]
      .sort((a, b) => b.lengthInBytes - a.lengthInBytes)
      .slice(0, NAMED_SECTIONS)
      .map(({ name, field, lengthInBytes }) =>
        printable(`${field === null ? '' : `${field}:`}${name} ${bytesText(lengthInBytes)}`),
      )
      .join(', '),
  ])
}
