"""The module trees of torchvision.models.resnet18 and mobilenet_v2, for machines without torchvision: names, shapes
and order of parameters and counters are torchvision's (its files resnet.py and mobilenetv2.py); all values are random,
including those of batch norms."""
import torch
from torch import nn


class BasicBlock(nn.Module):
    def __init__(self, inputs, filters, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, filters, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(filters)
        self.relu = nn.ReLU()
        self.conv2 = nn.Conv2d(filters, filters, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(filters)
        self.downsample = None
        if stride > 1:
            self.downsample = nn.Sequential(nn.Conv2d(inputs, filters, 1, stride, bias=False), nn.BatchNorm2d(filters))

    def forward(self, x):
        beside = x if self.downsample is None else self.downsample(x)
        x = self.relu(self.bn1(self.conv1(x)))
        return self.relu(self.bn2(self.conv2(x)) + beside)


class ResNet18(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        self.relu = nn.ReLU()
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        inputs = 64
        for stage in range(1, 5):
            filters = 32 << stage
            blocks = [BasicBlock(inputs, filters, 1 if stage == 1 else 2), BasicBlock(filters, filters, 1)]
            setattr(self, f"layer{stage}", nn.Sequential(*blocks))
            inputs = filters
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(512, 1000)

    def forward(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(self.avgpool(x).flatten(1))


def conv_norm(inputs, filters, size, stride=1, groups=1):
    return nn.Sequential(nn.Conv2d(inputs, filters, size, stride, size // 2, groups=groups, bias=False),
                         nn.BatchNorm2d(filters), nn.ReLU6())


class InvertedResidual(nn.Module):
    def __init__(self, inputs, filters, stride, expansion):
        super().__init__()
        inner = inputs * expansion
        layers = [conv_norm(inputs, inner, 1)] if expansion > 1 else []
        layers += [conv_norm(inner, inner, 3, stride, inner), nn.Conv2d(inner, filters, 1, bias=False),
                   nn.BatchNorm2d(filters)]
        self.conv = nn.Sequential(*layers)
        self.added = stride == 1 and inputs == filters

    def forward(self, x):
        return x + self.conv(x) if self.added else self.conv(x)


class MobileNetV2(nn.Module):
    def __init__(self):
        super().__init__()
        features, inputs = [conv_norm(3, 32, 3, 2)], 32
        for expansion, filters, blocks, stride in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2),
                                                   (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)):
            for block in range(blocks):
                features.append(InvertedResidual(inputs, filters, stride if block == 0 else 1, expansion))
                inputs = filters
        features.append(conv_norm(320, 1280, 1))
        self.features = nn.Sequential(*features)
        self.classifier = nn.Sequential(nn.Dropout(0.2), nn.Linear(1280, 1000))

    def forward(self, x):
        return self.classifier(self.features(x).mean((2, 3)))


def trained(network):
    """The network in inference mode, with values such that its outputs still depend on the inputs and batch norms have
    an effect."""
    for module in network.modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight)
        if isinstance(module, nn.BatchNorm2d):
            for tensor, low, high in ((module.weight, 0.7, 1.2), (module.bias, -0.5, 0.5),
                                      (module.running_mean, -0.5, 0.5), (module.running_var, 0.5, 1.5)):
                nn.init.uniform_(tensor, low, high)
            module.num_batches_tracked += 7
    return network.eval()


class Models:
    """torchvision.models of version 0.13 and later, or of earlier versions, whose argument has another name; `asked`
    holds the requested value."""

    def __init__(self, new):
        self.asked = []
        for name, make in (("resnet18", ResNet18), ("mobilenet_v2", MobileNetV2)):
            setattr(self, name, self.new(make) if new else self.old(make))

    def new(self, make):
        def made(*, weights=None):
            self.asked.append(weights)
            return trained(make())

        return made

    def old(self, make):
        def made(pretrained=False):
            self.asked.append(pretrained)
            return trained(make())

        return made
