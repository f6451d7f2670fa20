"""Models as ONNX graphs: writing them, and tagging with them with onnxruntime and numpy alone."""
