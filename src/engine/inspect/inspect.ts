import { basename, dirname, join, relative } from 'node:path'
import { graphShapes } from '../../segment/graph-shape.ts'
import { Segment } from '../../segment/segment.ts'
import { noteDamage, verifyFramedFile, verifySegment } from '../../segment/verify-segment.ts'
import { readLastCommit } from '../../shard/commit.ts'
import { isGivenUp } from '../../shard/state-file.ts'
import { type FolderKind, readOnlyFolder } from '../../store/read-only-folder.ts'
import { FileTranslog } from '../../store/translog/file-translog.ts'
import { CHECKPOINT_FILE, verifyCheckpoint } from '../../store/translog/log-checkpoint.ts'
import { OpenLogs } from '../../store/translog/open-logs.ts'
import { EngineError } from '../../util/errors.ts'
import { indexNameOf } from '../metadata/metadata-store.ts'
import type {
  Damage,
  InspectFolder,
  InspectReport,
  SegmentReport,
  ShardReport,
} from './inspect-report.ts'

/** Counts gathered while folders are walked. */
interface Findings {
  readonly root: string
  readonly verify: boolean
  readonly graphs: boolean
  readonly shards: ShardReport[]
  readonly damages: Damage[]
  fileCount: number
  sizeInBytes: number
}

/** Reads a data folder, or one index's or shard's folder in it. */
export const inspectFolder: InspectFolder = async (folder, { verify, graphs = false }) => {
  const kind = kindOf(folder)
  const findings: Findings = {
    root: folder,
    verify,
    graphs,
    shards: [],
    damages: [],
    fileCount: 0,
    sizeInBytes: 0,
  }
  if (kind === 'shard') inspectShard(findings, folder, indexNameAt(findings, dirname(folder)))
  else if (kind === 'index') inspectIndex(findings, folder)
  else {
    inspectState(findings, join(folder, 'node'))
    for (const index of readOnlyFolder(join(folder, 'indices')).folders())
      inspectIndex(findings, join(folder, 'indices', index))
  }
  const { shards, fileCount, sizeInBytes, damages } = findings
  const report: InspectReport = { folder, kind, shards, fileCount, sizeInBytes, damages }
  return report
}

/** The kind of a folder, by the files in it. */
function kindOf(folder: string): FolderKind {
  const { kind } = readOnlyFolder(folder)
  if (kind !== null) return kind
  throw new EngineError({
    type: 'illegal_argument_exception',
    reason: `[${folder}] is no data folder, nor an index's or a shard's folder in one`,
  })
}

function inspectIndex(findings: Findings, folder: string): void {
  // The next start deletes it.
  if (isGivenUp(readOnlyFolder(folder))) return
  inspectState(findings, folder)
  const name = indexNameAt(findings, folder)
  for (const shard of readOnlyFolder(folder).folders())
    if (/^\d+$/.test(shard)) inspectShard(findings, join(folder, shard), name)
}

/** The framed state files of a folder: the node's, or an index's. */
function inspectState(findings: Findings, folder: string): void {
  const directory = readOnlyFolder(folder)
  let states = 0
  for (const name of directory.list()) {
    count(findings, directory.length(name))
    if (!/^state_\d+$/.test(name)) continue
    states++
    note(findings, folder, name, () => verifyFramedFile(directory, name, 'metadata'))
  }
  if (states === 0)
    note(findings, folder, 'state_1', () => {
      throw new Error('no state file')
    })
}

function inspectShard(findings: Findings, folder: string, index: string): void {
  const directory = readOnlyFolder(folder)
  for (const name of directory.list()) count(findings, directory.length(name))
  const segments: SegmentReport[] = []
  let commit: number | null = null
  note(findings, folder, 'commit', () => {
    const manifest = readLastCommit(directory)
    if (findings.verify)
      note(findings, folder, CHECKPOINT_FILE, () => {
        verifyCheckpoint(directory)
        // Opening reads every record that no commit holds.
        new FileTranslog(directory, manifest, () => 0, new OpenLogs()).closeFiles()
      })
    if (manifest === null) return
    commit = manifest.generation
    for (const entry of manifest.segments) {
      if (findings.verify) {
        const found: Damage[] = []
        verifySegment(directory, entry, found)
        for (const damage of found)
          findings.damages.push({ ...damage, file: pathIn(findings, folder, damage.file) })
      }
      note(findings, folder, `${entry.name}.seg`, () => {
        const segment = new Segment(0, directory, entry.name, () => {})
        try {
          const report = reportOf(segment, entry.deletedDocs)
          const at = segments.push(report) - 1
          // One that is damaged takes nothing from what is known of the segment.
          if (findings.graphs) segments[at] = { ...report, graphs: graphShapes(segment) }
        } finally {
          segment.release()
        }
      })
    }
  })
  const shard = Number(basename(folder))
  findings.shards.push({ index, shard, commit, segments })
}

function reportOf(segment: Segment, deletedDocCount: number): SegmentReport {
  const { fields, sections } = segment.file.directory
  const names = new Map(fields.map(field => [field.number, field.name]))
  return {
    name: segment.stem,
    docCount: segment.maxDoc - deletedDocCount,
    deletedDocCount,
    sizeInBytes: segment.fileBytes,
    fieldCount: fields.length,
    sections: sections.map(({ kind, field, length }) => ({
      name: kind,
      field: names.get(field) ?? null,
      lengthInBytes: length,
    })),
  }
}

/** The index's name as its state has it; its folder's name where that is damaged. */
function indexNameAt(findings: Findings, folder: string): string {
  let name = basename(folder)
  note(findings, folder, 'state', () => {
    name = indexNameOf(readOnlyFolder(folder)) ?? name
  })
  return name
}

function note(findings: Findings, folder: string, file: string, check: () => void): void {
  const found: Damage[] = []
  noteDamage(file, found, check)
  for (const damage of found) {
    const path = pathIn(findings, folder, damage.file)
    const isKnown = findings.damages.some(
      known => known.file === path && known.offset === damage.offset,
    )
    if (!isKnown) findings.damages.push({ ...damage, file: path })
  }
}

function pathIn(findings: Findings, folder: string, file: string): string {
  return relative(findings.root, join(folder, file))
}

function count(findings: Findings, bytes: number): void {
  findings.fileCount++
  findings.sizeInBytes += Math.max(0, bytes)
}
