import { requireNode } from './node-version.mjs'

// The first import of a command that tsx runs: it is evaluated before anything loads what an old Node can't run.
requireNode()
