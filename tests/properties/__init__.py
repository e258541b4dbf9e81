"""What holds for all inputs, tried on many that hypothesis makes, the same ones in every run."""

import unittest

try:
    import hypothesis
except ImportError:
    raise unittest.SkipTest("properties need hypothesis: pip install hypothesis") from None

hypothesis.settings.register_profile(
    "reproducible",
    derandomize=True,
    deadline=None,
    database=None,
    print_blob=False,
    suppress_health_check=list(hypothesis.HealthCheck),
)
hypothesis.settings.load_profile("reproducible")
