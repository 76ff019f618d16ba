"""The adjoint of a function in normal form: what each statement contributes, and the sweeps around it."""
