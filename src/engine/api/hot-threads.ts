/** Samples of what threads do. */

/** How threads are sampled. */
export interface SampleThreads {
  readonly intervalInMillis: number
  /** Stacks of each thread that are kept, evenly over the interval. */
  readonly snapshots: number
}

/** One thread over an interval. */
export interface SampledThread {
  /** `⟨pool⟩][T#⟨number from 1⟩`, or `coordinator`. */
  readonly name: string
  /** Shares of the samples, 0–1: in code, and waiting for work. */
  readonly busy: number
  readonly waiting: number
  readonly stacks: readonly SampledStack[]
}

/** The stack of one moment. */
export interface SampledStack {
  readonly isIdle: boolean
  /** Frames as text, the innermost first. */
  readonly frames: readonly string[]
}
