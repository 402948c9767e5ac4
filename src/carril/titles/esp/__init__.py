"""18ESP (18España): two maps, two gauges, three rulebooks."""
