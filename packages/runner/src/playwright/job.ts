/** What a process that runs Playwright is asked to do, one line of JSON each. Files of the job are written by the process itself. */

export interface JobFile {
  /** Relative, normalised, below the folder of the job. */
  path: string
  content: string
  encoding: 'utf8' | 'base64'
}

/** What artefacts a run makes. */
export interface Recording {
  trace: 'on' | 'retain-on-failure' | 'off'
  video: 'on' | 'retain-on-failure' | 'off'
  screenshot: 'on' | 'only-on-failure' | 'off'
}

interface Work {
  variables: Readonly<Record<string, string>>
  files: readonly JobFile[]
  /** After this the run is interrupted, and what it has seen by then is told. */
  limitMs: number
}

export type PlaywrightJob = Work &
  (
    | {
        /** A file of tests, run with a configuration of ours. */
        is: 'test'
        entry: string
        recording: Recording
      }
    | {
        /** A program without the test runner: its end is its result. */
        is: 'program'
        entry: string
      }
    | {
        /** A project with its own configuration; `files` has one archive. */
        is: 'suite'
        archive: string
        workingDir: string
        /** Arguments of `playwright test`. */
        args: readonly string[]
        recording: Recording
      }
  )

/** The first line is the job. */
export type JobLine = { is: 'job'; job: PlaywrightJob } | { is: 'interrupt' }
