#!/bin/sh
# Judges two releases, and holds the second back when it is worse: compare-releases.sh https://old.example https://new.example <session>
mkdir -p reports
conformance run --base-url "$1" --session-id "$3" --out reports/old > reports/old.log
conformance run --base-url "$2" --session-id "$3" --out reports/new > reports/new.log
conformance compare reports/old/report.json reports/new/report.json                # what changed, for people
conformance gate reports/new/report.json --baseline reports/old/report.json        # one sentence, and the exit code
