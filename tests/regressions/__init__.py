"""Programs that once came out wrong, or crashed: each module has CASES of functions with arguments."""
