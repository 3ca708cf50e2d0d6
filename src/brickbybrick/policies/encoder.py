"""The target encoder: binary views in, one vector out."""

from torch import Tensor, nn

VIEW_FEATURES = 64


class TargetEncoder(nn.Module):
    """The paper's CNN. Several views go through it one by one, and their vectors are put side by side."""

    def __init__(self, views: int) -> None:
        super().__init__()
        self.features = views * VIEW_FEATURES
        first: list[nn.Module] = [nn.Conv2d(1, 32, 3, padding=1), nn.MaxPool2d(3, stride=2, padding=1), nn.ReLU()]
        for _ in range(3):
            first += [nn.Conv2d(32, 32, 3, padding=1), nn.ReLU()]
        first += [nn.Conv2d(32, 32, 3, padding=1)]
        second: list[nn.Module] = [nn.Conv2d(32, 64, 3, padding=1), nn.MaxPool2d(3, stride=2, padding=1), nn.ReLU()]
        for _ in range(4):
            second += [nn.Conv2d(64, 64, 3, padding=1), nn.ReLU()]
        # 14 x 14 pixels become 7 x 7, then 4 x 4.
        self.layers = nn.Sequential(*first, *second, nn.Flatten(), nn.Linear(64 * 4 * 4, VIEW_FEATURES))
        for layer in self.layers:
            if isinstance(layer, nn.Conv2d) and layer.bias is not None:
                # He's weights keep an image visible through ten layers; PyTorch's own fade it to a hundredth, and
                # agents then learn slowly what depends on the image.
                nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
                nn.init.zeros_(layer.bias)

    def forward(self, images: Tensor) -> Tensor:
        """Encodes images (graph, view, row, column) as (graph, feature)."""
        each: Tensor = self.layers(images.flatten(0, 1)[:, None].float())
        return each.reshape(images.shape[0], self.features)
