/** Counts of something that runs. */
export interface OperationCount {
  readonly count: number
  readonly timeInMillis: number
  readonly current: number
  readonly failed: number
}

/** Counts of a processor of a pipeline. */
export interface ProcessorCount extends OperationCount {
  /** `⟨type⟩[:⟨tag⟩]`, with the name of the pipeline between them where one runs another. */
  readonly label: string
  readonly type: string
}
