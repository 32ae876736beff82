/**
 * A run as one page: drawings, figures and what could not be run, with everything it needs in it.
 * Nothing is loaded from anywhere, and it reads in light and dark.
 */
import { MODE_TITLES } from './lines.ts'
import type { Measured } from './measure.ts'
import type { Built, Mode } from './protocol.ts'
import { ratioPlot } from './ratio-plot.ts'
import { type LineRecord, measuredOn, type RunRecord } from './run-record.ts'
import { axisOf, escapeHtml, stripPlot, timeText } from './strip-plot.ts'
import { agreementLines, missingLines, whereOf } from './table.ts'

/** Above this the machine had other work, and times are not to be quoted. */
const QUIET_LOAD = 0.5

const STYLE = `
:root { color-scheme: light dark; --ground: #fff; --text: #1b1f24; --quiet: #667080;
  --line: #d9dee5; --lamella: #0b6bcb; --lucene: #c2410c; --other: #7a8494; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171b; --text: #e6e9ee;
  --quiet: #98a2b3; --line: #313842; --lamella: #5aa9f8; --lucene: #fb923c; --other: #8f9bad; } }
body { margin: 2rem auto; max-width: 800px; padding: 0 1rem; background: var(--ground);
  color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; }
h3 { font-size: 0.95rem; margin: 1.4rem 0 0.2rem; }
p.quiet, figcaption { color: var(--quiet); font-size: 0.9rem; }
p.warning { border-left: 4px solid var(--lucene); padding-left: 0.8rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.15rem 0.7rem 0.15rem 0; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
th { color: var(--quiet); font-weight: 500; border-bottom: 1px solid var(--line); }
svg { width: 100%; height: auto; display: block; font: 12px system-ui, sans-serif; }
svg text { fill: var(--text); } svg text.label, svg text.value { text-anchor: end; }
svg text.tick { text-anchor: middle; fill: var(--quiet); } svg text.none { fill: var(--quiet); }
svg path.tick { stroke: var(--line); } svg path.one { stroke: var(--quiet); }
svg .engine { color: var(--other); } svg .lamella { color: var(--lamella); }
svg .lucene { color: var(--lucene); }
svg .engine rect { fill: currentColor; fill-opacity: 0.18; }
svg .engine circle { fill: currentColor; fill-opacity: 0.55; }
svg .median { stroke: currentColor; stroke-width: 2; }
svg .mean { fill: var(--ground); stroke: currentColor; stroke-width: 1.5; }
svg .ahead { fill: var(--lamella); } svg .behind { fill: var(--lucene); }
li { overflow-wrap: anywhere; }
`

/** The page's HTML. */
export function pageOf(record: RunRecord): string {
  const modes = [...new Set(record.lines.map(({ mode }) => mode))]
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>Lamella beside its rivals</title><style>${STYLE}</style></head><body>`,
    '<h1>Lamella beside its rivals</h1>',
    `<p>${escapeHtml(whereOf(record))}.</p>`,
    loadWarning(record),
    '<h2>Engines</h2>',
    engineTable(record),
    ratioSection(record),
    ...modes.map(mode => modeSection(record, mode)),
    '<h2>Agreement, and what could not be run</h2>',
    list([...agreementLines(record), ...missingLines(record)]),
    '</body></html>\n',
  ].join('\n')
}

function loadWarning({ machine }: RunRecord): string {
  if (machine.load <= QUIET_LOAD) return ''
  return (
    '<p class="warning">The machine had other work when this run began ' +
    `(load average ${machine.load}): trust no time here, ratios with care.</p>`
  )
}

function ratioSection(record: RunRecord): string {
  const drawing = ratioPlot(record, 'lucene')
  if (drawing === '') return ''
  return (
    '<h2>Lucene ÷ Lamella</h2><p class="quiet">Mean over the queries of each one’s least time; ' +
    `right of 1 × Lamella is faster.</p>${drawing}`
  )
}

function engineTable(record: RunRecord): string {
  const head = [
    'engine',
    'runs on',
    'documents/s',
    'by two threads',
    'processor s',
    'one segment s',
    'index MB',
    'cold start ms',
    'opened MB',
    'after MB',
    'most MB',
  ]
  const rows = record.engines
    .filter(({ facts }) => facts !== null)
    .map(({ name, facts, residentAfter }) => {
      const { hello, built, builtByTwo, coldStartInNanos, resident } = facts!
      const bytes = Object.values(built.bytes ?? {}).reduce((sum, size) => sum + size, 0)
      return [
        `${name} (${hello.version})`,
        hello.runtime,
        perSecond(built),
        builtByTwo === null ? '–' : perSecond(builtByTwo),
        (built.cpuNanos / 1e9).toFixed(1),
        (built.mergeNanos / 1e9).toFixed(1),
        built.bytes === null ? '–' : (bytes / 1e6).toFixed(1),
        coldStartInNanos === null ? '–' : (coldStartInNanos / 1e6).toFixed(0),
        mega(resident?.now),
        mega(residentAfter?.now),
        mega(residentAfter?.most),
      ]
    })
  return tableOf([head, ...rows]) + bytesTable(record)
}

function perSecond({ docs, nanos }: Built): string {
  return Math.round(docs / (nanos / 1e9)).toLocaleString('en')
}

/** Whose index has which kinds of files. */
function bytesTable(record: RunRecord): string {
  const rows = record.engines.flatMap(({ name, facts }) =>
    Object.entries(facts?.built.bytes ?? {})
      .filter(([, size]) => size >= 1e4)
      .sort(([, a], [, b]) => b - a)
      .map(([ending, size]) => [name, ending, (size / 1e6).toFixed(2)]),
  )
  return `<h3>Bytes by kind of file</h3>${tableOf([['engine', 'ending', 'MB'], ...rows])}`
}

function modeSection(record: RunRecord, mode: Mode): string {
  const lines = record.lines.filter(line => line.mode === mode)
  const all = lines.flatMap(line => rowsOf(record, line))
  const axis = axisOf(all)
  const drawings = lines.map(line => {
    const rows = rowsOf(record, line).filter(({ figures }) => figures !== null)
    if (rows.length === 0) return ''
    return `<h3>${escapeHtml(line.name)}</h3>${stripPlot(line.name, rows, line.queries, axis)}`
  })
  return [
    `<h2>${MODE_TITLES[mode]}</h2>`,
    '<p class="quiet">A dot is one query’s least time over all rounds; the box holds the middle ',
    'half, its mark is the median, the diamond and the figure are the mean. Logarithmic.</p>',
    ...drawings,
    figuresTable(lines.flatMap(line => rowsOf(record, line))),
  ].join('\n')
}

function rowsOf(record: RunRecord, line: LineRecord): Measured[] {
  return record.engines.flatMap(({ name }) => measuredOn(record, line.name, name) ?? [])
}

function figuresTable(measured: readonly Measured[]): string {
  const head = ['line', 'engine', 'mean', 'median', 'p99', 'rounds', 'unsteady', 'cpu', 'recall']
  const rows = measured
    .filter(({ figures }) => figures !== null)
    .map(({ line, engine, figures, roundMeans, cpuShare, recall }) => [
      line,
      engine,
      timeText(figures!.mean),
      timeText(figures!.median),
      timeText(figures!.p99),
      String(roundMeans.length),
      `${((Math.max(...roundMeans) / Math.min(...roundMeans) - 1) * 100).toFixed(0)} %`,
      (cpuShare ?? 0).toFixed(2),
      recall === null ? '–' : recall.toFixed(2),
    ])
  return `<details><summary>Figures</summary>${tableOf([head, ...rows])}</details>`
}

function tableOf([head, ...rows]: readonly string[][]): string {
  const cells = (tag: string, row: readonly string[]): string =>
    `<tr>${row.map(cell => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`
  return `<div class="wide"><table>${cells('th', head!)}${rows.map(row => cells('td', row)).join('')}</table></div>`
}

function list(lines: readonly string[]): string {
  const items = lines.filter(line => line !== '').map(line => line.replace(/^\* /, ''))
  return `<ul>${items.map(item => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`
}

function mega(bytes: number | undefined): string {
  return bytes === undefined ? '–' : (bytes / 1e6).toFixed(0)
}
