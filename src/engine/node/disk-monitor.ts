import { WATERMARK } from '../../schema/cluster-settings.ts'
import { exceeds } from '../../schema/disk-watermark.ts'
import { clusterSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import type { DiskUsage } from '../../store/disk-usage.ts'

/** Bytes of accepted documents after which the disk is looked at without waiting for the timer. */
const STRETCH_BYTES = 16 * 2 ** 20
const THRESHOLD_ENABLED = 'cluster.routing.allocation.disk.threshold_enabled'

/** Inputs of the monitor. */
export interface MonitoredDisk {
  /** Null: there is no disk to watch. */
  usage(): DiskUsage | null
  /** The cluster settings that hold. */
  settings(): Settings
  /** A block that could not be set or lifted; the next look tries again. */
  onError(error: unknown): void
}

/**
 * Watches the disk under the data: beyond the flood stage watermark all indices are blocked, and the block
 * is lifted once the usage is below the high watermark, or once watermarks are disabled. It looks every
 * `cluster.info.update.interval`, and after each `STRETCH_BYTES` of documents. Its timer does not keep the
 * process alive.
 */
export class DiskMonitor {
  readonly #disk: MonitoredDisk
  #setBlock: (isFull: boolean) => Promise<void> = async () => {}
  #timer: NodeJS.Timeout | null = null
  /** Bytes of documents since the last look. */
  #written = 0
  /** The look under way; looks that are asked for meanwhile wait for it. */
  #looking: Promise<void> | null = null
  #isClosed = true

  constructor(disk: MonitoredDisk) {
    this.#disk = disk
  }

  /**
   * Looks for the first time, and from then on.
   * @param setBlock blocks all indices, or lifts the block; called although nothing has changed
   */
  async start(setBlock: (isFull: boolean) => Promise<void>): Promise<void> {
    this.#setBlock = setBlock
    this.#isClosed = false
    if (this.#disk.usage() === null) return
    await this.check()
    this.#wait()
  }

  /** Notes documents of so many bytes. */
  noteWritten(bytes: number): void {
    this.#written += bytes
    if (this.#written >= STRETCH_BYTES) void this.check()
  }

  /** Looks now; resolves when blocks are set or lifted, or could not be. */
  async check(): Promise<void> {
    this.#written = 0
    while (this.#looking !== null) await this.#looking
    this.#looking = this.#look().catch((error: unknown) => this.#disk.onError(error))
    await this.#looking
    this.#looking = null
  }

  close(): void {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  #wait(): void {
    if (this.#isClosed) return
    const nanos = clusterSettings.nanos(this.#disk.settings(), 'cluster.info.update.interval')
    // Set anew each time: the interval may have changed.
    this.#timer = setTimeout(
      () => void this.check().finally(() => this.#wait()),
      (nanos ?? 30e9) / 1e6,
    ).unref()
  }

  async #look(): Promise<void> {
    if (this.#isClosed) return
    const usage = this.#disk.usage()
    if (usage === null) return
    const settings = this.#disk.settings()
    if (!clusterSettings.boolean(settings, THRESHOLD_ENABLED)) {
      await this.#setBlock(false)
      return
    }
    const isBeyond = (name: string): boolean => {
      const key = `${WATERMARK}.${name}`
      return exceeds(usage, clusterSettings.text(settings, key), key)
    }
    if (isBeyond('flood_stage')) await this.#setBlock(true)
    else if (!isBeyond('high')) await this.#setBlock(false)
  }
}
